package main

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"testing"
)

// What others wrote is kept exactly as they released it: each vendored file has
// the sum that was written when it was fetched, and no file stands beside them
// that has none.
func TestVendoredFilesAreAsTheyCame(t *testing.T) {
	sums := vendoredSums(t, string(read(t, "static/vendor.sha256")))
	for file, want := range sums {
		if got := sha256.Sum256(read(t, file)); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not the file that was vendored; see static/vendor.sh", file)
		}
	}
	for _, file := range files(t) {
		if _, known := sums[file]; strings.HasPrefix(file, "static/vendor/") && !known {
			t.Errorf("%s has no sum in static/vendor.sha256; see static/vendor.sh", file)
		}
	}
}

func vendoredSums(t *testing.T, list string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for line := range strings.Lines(list) {
		sum, file, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || len(sum) != sha256.Size*2 {
			t.Fatalf("static/vendor.sha256 holds the line %q", line)
		}
		sums[path.Join("static/vendor", file)] = sum
	}
	if len(sums) == 0 {
		t.Fatal("static/vendor.sha256 is empty")
	}
	return sums
}

// Each vendored package brings its licence.
func TestVendoredPackagesBringTheirLicence(t *testing.T) {
	folders, licences := map[string]bool{}, map[string]bool{}
	for _, file := range files(t) {
		if !strings.HasPrefix(file, "static/vendor/") {
			continue
		}
		folders[path.Dir(file)] = true
		if strings.HasPrefix(path.Base(file), "LICENSE") {
			licences[path.Dir(file)] = true
		}
	}
	for folder := range folders {
		if !licences[folder] {
			t.Errorf("%s has no LICENSE", folder)
		}
	}
}
