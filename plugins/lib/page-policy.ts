// The headers that let only the page's own scripts and styles run.

export interface PagePolicy {
  /** For style elements that a library makes; scripts have none. */
  readonly nonce?: string;
  /** Where its forms may be sent, as sources of the policy; nowhere when left out. */
  readonly formTargets?: readonly string[];
}

export function pageHeaders({ nonce, formTargets = [] }: PagePolicy = {}): Record<string, string> {
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
      `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(' ')}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
