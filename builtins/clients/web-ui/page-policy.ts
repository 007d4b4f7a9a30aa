// The headers that let only the page's own scripts and styles run.

/** The nonce is for style elements that a library makes; scripts have none. */
export function pageHeaders(nonce?: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "media-src 'self' blob:",
      'frame-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
