// What a browser shows when it comes back from signing in at an MCP server.

export const signedInPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Connected</title>
<h1>The server is connected.</h1>
<p>You can close this page and go back to the application.</p>
</html>
`;
