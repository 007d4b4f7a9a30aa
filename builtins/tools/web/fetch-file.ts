// Fetches a web file of any type for another plugin, up to a size limit, with the same fallbacks as for pages.
import type { WebFiles } from 'agent-harness/builtins/tools/web';
import { failure } from '#lib/errors';
import { download } from './download.ts';
import { readAddress } from './read-address.ts';
import type { WebSettings } from './web-config.ts';

export function createWebFiles(settings: WebSettings, ending: AbortSignal): WebFiles {
  return {
    async fetch(address, { maxBytes, accept, signal, progress }) {
      const url = readAddress(address);
      const reply = await download(url, {
        ...{ settings, accept, progress, wholeBytes: maxBytes },
        signal: AbortSignal.any([signal, ending]),
        deadline: performance.now() + settings.totalWallMs,
      });
      if (reply.status >= 400) throw failure(`${reply.url.href} returned status ${reply.status}.`, 'Check the URL or try another source.');
      if (reply.isBroken) throw failure(`${reply.url.href} broke off.`, 'Try again.');
      if (reply.isCut) return undefined;
      return { url: reply.url.href, contentType: reply.contentType, bytes: Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength) };
    },
  };
}
