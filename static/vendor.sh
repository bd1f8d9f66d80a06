#!/bin/sh
# Fetches the vendored browser files anew, at the versions below, and writes
# their sha256 sums. `make vendor` runs it; it needs npm and tar. A change of
# version is a change of one line here. To add an icon, make an empty file of
# its name in vendor/lucide and run this.
set -eu
cd "$(dirname "$0")"

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

# fetch NAME VERSION: unpacks a package into $from.
fetch() {
	from=$temp/$(echo "$1" | tr -c 'a-z0-9\n' '-')
	mkdir -p "$from"
	archive=$(npm pack --silent --pack-destination "$temp" "$1@$2")
	tar -xzf "$temp/$archive" -C "$from" --strip-components=1
}

# keep FILE AS: copies one file of the package fetched last.
keep() {
	mkdir -p "$(dirname "$2")"
	cp "$from/$1" "$2"
	chmod 644 "$2"
}

fetch htmx.org 4.0.1
keep dist/htmx.min.js vendor/htmx/htmx.min.js
keep dist/ext/hx-sse.min.js vendor/htmx/hx-sse.min.js
keep dist/ext/hx-upsert.min.js vendor/htmx/hx-upsert.min.js
keep LICENSE vendor/htmx/LICENSE

fetch @fontsource-variable/atkinson-hyperlegible-next 5.3.0
keep files/atkinson-hyperlegible-next-latin-wght-normal.woff2 vendor/atkinson/latin.woff2
keep files/atkinson-hyperlegible-next-latin-wght-italic.woff2 vendor/atkinson/latin-italic.woff2
keep files/atkinson-hyperlegible-next-latin-ext-wght-normal.woff2 vendor/atkinson/latin-ext.woff2
keep LICENSE vendor/atkinson/LICENSE

fetch lucide-static 1.62.0
for icon in vendor/lucide/*.svg; do
	keep "icons/${icon##*/}" "$icon"
done
keep LICENSE vendor/lucide/LICENSE

# Formulas are set on the server, so this one lies beside the code that runs it.
fetch temml 0.13.5
keep dist/temml.min.js ../templates/prose/temml/temml.min.js
keep LICENSE ../templates/prose/temml/LICENSE

cd vendor
find . -type f | LC_ALL=C sort | xargs sha256sum >../vendor.sha256
