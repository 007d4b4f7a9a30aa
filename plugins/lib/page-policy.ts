// Builds the security headers of pages: a page may run only its own scripts and styles; a sandboxed page may run only declared ones.

export interface PagePolicy {
  /** Nonce for style elements that a library creates; scripts have no nonce. */
  readonly nonce?: string;
  /** Whether the page runs scripts that it creates from content not served by its site. */
  readonly runsBlobs?: boolean;
  /** Allowed form targets, as sources of the policy; default: none. */
  readonly formTargets?: readonly string[];
}

/** Nonce of the scripts in sandboxed frames. Constant, because the frames are built once; markup that they process cannot run scripts. */
export const programNonce = 'program';

/** Scripts that may run in a sandboxed page. */
export interface SealedScripts {
  /** Nonce of the script elements in the page. With only `unsafe-inline`, `javascript:` URLs would run, in new globals without a guard. */
  readonly nonce: string;
  /** Whether attributes such as `onclick` may also run. */
  readonly hasHandlers: boolean;
}

/**
 * Returns headers that isolate a page from a third party: no origin, no network, and only pages of this server may frame it. No current browser enforces
 * `webrtc`, so a page with scripts must begin with `sealedGuard`.
 * @param scripts scripts of the page that may run; default: none
 */
export function sealedHeaders(scripts?: SealedScripts): Record<string, string> {
  const hasScripts = scripts !== undefined;
  const policy = [
    // Without `allow-same-origin`, the page never has this server's origin.
    `sandbox${hasScripts ? ' allow-scripts' : ''}`,
    "default-src 'none'",
    `script-src ${hasScripts ? "'unsafe-inline'" : "'none'"}`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "webrtc 'block'",
  ].join('; ');
  // A second policy, because a nonce in the first one would also allow external scripts.
  const own = scripts && `script-src-elem 'nonce-${scripts.nonce}'; script-src-attr ${scripts.hasHandlers ? "'unsafe-inline'" : "'none'"}`;
  return {
    'content-security-policy': own === undefined ? policy : `${policy}, ${own}`,
    // The same for all replies; the policy above controls which pages may frame this one.
    'x-frame-options': 'SAMEORIGIN',
    'x-dns-prefetch-control': 'off',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), clipboard-read=(), clipboard-write=()',
    'cache-control': 'no-store',
  };
}

export function pageHeaders({ nonce, runsBlobs = false, formTargets = [] }: PagePolicy = {}): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${runsBlobs ? ' blob:' : ''}`,
      `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      "media-src 'self' blob:",
      "frame-src 'self' blob:",
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
