// Describes the errors of fetching a page as sentences for the model.
import { codeOf, messageOf, type Failure } from '#lib/errors';
import { textStart } from '#lib/text';

/** An error whose message may quote the server. */
export class WebFault extends Error implements Failure {
  readonly isForCaller = true;
  readonly isUntrusted = true;
  /** Alternative action for the model. */
  readonly hint: string | undefined;
  /** Whether a retry may help. */
  readonly isTransient: boolean;

  constructor(message: string, options: { readonly hint?: string; readonly isTransient?: boolean; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'WebFault';
    this.hint = options.hint;
    this.isTransient = options.isTransient === true;
  }
}

/** Codes of transient connection errors. */
const transientCodes: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** Converts a connection error to a fault. */
export function faultOfConnection(thrown: unknown, url: URL): WebFault {
  if (thrown instanceof WebFault) return thrown;
  const code = codeOf(thrown);
  if (code === addressRefusedCode) return refusedAddress(url.host);
  if (code === 'ENOTFOUND') return new WebFault(`Unknown host ${url.hostname}.`, { hint: 'Check the address.', cause: thrown });
  const reason = /reason: (.*)/s.exec(messageOf(thrown))?.[1] ?? messageOf(thrown);
  return new WebFault(`${url.host} could not be read: ${textStart(reason, 300)}`, { isTransient: transientCodes.has(code), cause: thrown });
}

/** Error code of a DNS lookup that returned an address that is not public. */
export const addressRefusedCode = 'ERR_ADDRESS_NOT_PUBLIC';

export function refusedAddress(host: string): WebFault {
  return new WebFault(`${host} is not a public address and is not read.`, {
    hint: 'Only public servers can be read. The user can allow their own servers with AGENT_WEB_FETCH_ALLOWED_HOSTS.',
  });
}
