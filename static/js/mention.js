// mention
