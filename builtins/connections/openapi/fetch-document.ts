// Fetches the text of an OpenAPI document.
import { textStart } from '#lib/text';
import { UnreadableDocument, maxDocumentBytes } from './read-document.ts';
import { explainSending, send, type Incoming } from './send.ts';

const timeoutMs = 30_000;

/** Fetches a document. Rejects with {@link UnreadableDocument}. A redirect may lead to another host, but never from https to http. */
export async function fetchDocument(url: string, isSameServer: boolean, signal: AbortSignal): Promise<string> {
  const reply = await request(url, isSameServer, signal);
  const where = shown(url);
  if (reply.location !== undefined) throw new UnreadableDocument('NOT_FETCHED', `${where} redirects to an address that is not followed`);
  if (reply.status !== 200) throw new UnreadableDocument('NOT_FETCHED', `${where} responded with status ${reply.status}`);
  if (reply.isCut) throw new UnreadableDocument('TOO_LARGE', `the limit is ${maxDocumentBytes / 1024 / 1024} MB`);
  return reply.bytes.toString('utf8');
}

async function request(url: string, isSameServer: boolean, signal: AbortSignal): Promise<Incoming> {
  try {
    return await send(
      { method: 'get', url, headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' } },
      {
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        limit: maxDocumentBytes,
        mayFollow: (from, to) => to.origin === from.origin || (!isSameServer && mayLeadTo(from, to)),
        isPublicOnly: false,
      },
    );
  } catch (fault) {
    throw new UnreadableDocument('NOT_FETCHED', `${shown(url)}: ${explainSending(fault)}`);
  }
}

/** Returns whether a redirect may be followed: it must stay encrypted. The target address is checked when connecting. */
function mayLeadTo(from: URL, to: URL): boolean {
  return to.protocol === from.protocol || to.protocol === 'https:';
}

/** Removes parts of an address that may be a secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return textStart(`${origin}${pathname}`, 300);
}
