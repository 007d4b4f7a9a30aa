// Parses and validates the URL of a web request.
import { textStart } from '#lib/text';
import { WebFault } from './web-fault.ts';

/** Parses a URL that a model wrote; a URL without a scheme uses https. Throws a {@link WebFault}. */
export function readAddress(text: string, base?: URL): URL {
  const trimmed = text.trim();
  const full = base !== undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(full, base))
    throw new WebFault(`This is not a URL: ${textStart(trimmed, 200)}`, { hint: 'Pass a full one, such as https://example.com/page.' });
  const url = new URL(full, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WebFault(`Only http and https can be read, not ${url.protocol}//`, { hint: 'Read workspace files with read_file.' });
  }
  if (url.username !== '' || url.password !== '') throw new WebFault('The URL contains a user name or password.', { hint: 'Remove it.' });
  url.hash = '';
  return url;
}
