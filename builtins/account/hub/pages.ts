// The page that a browser shows when it comes back from signing in.

export const signedInPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signed in</title>
<h1>You are signed in.</h1>
<p>You can close this page and go back to the application.</p>
</html>
`;
