// Downloads one file over HTTPS up to a size limit; follows a few redirects, but never to an insecure address.
import { failure, messageOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import { textStart } from '#lib/text';
import { fetchComplete, readUpTo } from '#lib/complete-fetch';

const redirects = 5;
const longestMs = 60_000;

/** Downloads a file. Rejects with a readable message. @param limit maximum size in bytes */
export async function download(address: string, limit: number, signal?: AbortSignal): Promise<Buffer> {
  const ended = AbortSignal.any([AbortSignal.timeout(longestMs), ...(signal ? [signal] : [])]);
  let url = checked(address);
  for (let left = redirects; ; left--) {
    const answer = await fetchComplete(url.href, { redirect: 'manual', signal: ended }).catch((fault: unknown) => {
      throw failure(`${url.host} does not respond: ${messageOf(fault)}`);
    });
    const { status, headers, body } = answer;
    const next = headers.get('location');
    if (status >= 300 && status < 400 && next !== null) {
      body.destroy();
      if (left === 0) throw failure(`${address} has too many redirects.`);
      url = checked(new URL(next, url).href);
      continue;
    }
    const { bytes, isCut } = await readUpTo(body, limit);
    if (status !== 200) throw failure(`${url.host} answered ${status} for ${url.pathname}.`);
    if (isCut) throw failure(`${address} is larger than ${limit} bytes.`);
    return bytes;
  }
}

/** Parses an address; refuses an unencrypted connection unless it is to this machine. */
function checked(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw failure(`'${textStart(address, 300)}' is not allowed; use an https:// address`);
}
