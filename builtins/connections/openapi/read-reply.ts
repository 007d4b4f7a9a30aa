// Converts a server's response to text for the model.
import { textStart } from '#lib/text';
import { jsonOf } from '#lib/values';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { withoutSecrets, type Signature } from './credentials.ts';
import type { Incoming } from './send.ts';

/** Maximum length of an error's body, in characters. */
const maxErrorChars = 4_000;

export function readReply(
  reply: Incoming,
  request: { readonly method: string; readonly url: string; readonly limit: number },
  signature: Signature,
): ToolOutcome {
  const what = `${request.method.toUpperCase()} ${request.url}`;
  const text = withoutSecrets(bodyText(reply, request.limit), signature);
  if (reply.location !== undefined && reply.status >= 300 && reply.status < 400) {
    const where = withoutSecrets(placeOf(reply.location, request.url), signature);
    return failed(`${what} returned ${reply.status}, a redirect to ${where}; not followed, to protect the connection's credentials.`);
  }
  if (reply.status >= 400 || reply.status < 200) {
    return failed(`${what} returned status ${reply.status}.${text === '' ? '' : `\n${textStart(text, maxErrorChars)}`}`, hintFor(reply.status));
  }
  return { ok: true, output: text === '' ? `Status ${reply.status}, no content.` : text, isUntrusted: true };
}

function failed(error: string, hint?: string): ToolOutcome {
  return { ok: false, error, ...(hint === undefined ? {} : { hint }), isUntrusted: true };
}

function hintFor(status: number): string | undefined {
  if (status === 401 || status === 403) return "The connection's credentials do not allow this; the user can reconnect with others.";
  if (status === 404) return 'Check the arguments in the path.';
  if (status === 429) return 'Wait before the next call.';
  return undefined;
}

function bodyText({ bytes, mediaType, isCut }: Incoming, limit: number): string {
  const cut = isCut ? `\n[cut: the response exceeds ${limit / 1024 / 1024} MB]` : '';
  if (bytes.length === 0) return '';
  if (!isText(mediaType, bytes)) return `[${bytes.length} bytes of ${mediaType === '' ? 'an unknown type' : mediaType}, not text]${cut}`;
  const text = bytes.toString('utf8');
  return (isCut ? text : pretty(text)) + cut;
}

function pretty(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  const value = jsonOf(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

function isText(mediaType: string, bytes: Buffer): boolean {
  if (/^text\/|[/+](json|xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)$/.test(mediaType)) return true;
  return !/^(image|audio|video|font)\//.test(mediaType) && !bytes.subarray(0, 4_096).includes(0) && !/(zip|gzip|tar|pdf)$/.test(mediaType);
}

/** Removes the query, which often contains a secret. */
function placeOf(location: string, base: string): string {
  if (!URL.canParse(location, base)) return 'an invalid address';
  const { origin, pathname } = new URL(location, base);
  return textStart(`${origin}${pathname}`, 300);
}
