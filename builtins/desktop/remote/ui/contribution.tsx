// Contributes remote sessions to the page of the host: a bar while guests watch, the permission dialog, and the codes.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { RemoteCover } from './remote-cover.tsx';

export const contribution: Contribution = {
  plugin: 'remote',
  parts: [
    { slot: 'cover', title: 'Viewers of this window', Part: RemoteCover },
    { slot: 'account', title: 'Remote sessions', order: 20, Part: lazyPart(async () => (await import('./remote-section.tsx')).RemoteSection) },
  ],
};
