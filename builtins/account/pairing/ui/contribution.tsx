// Contributes pairing to the page: the paired devices on the account page, and the sign-in by code.
import { Smartphone } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';
import { LeavePairing, pairPage, PairThisDevice } from './pair-this-device.tsx';

export const contribution: Contribution = {
  plugin: 'pairing',
  pages: [{ page: pairPage, title: 'Pairing', icon: Smartphone, place: 'none', permission: 'chats.read', Page: LeavePairing }],
  parts: [
    { slot: 'account', title: 'The paired devices', order: -10, Part: lazyPart(async () => (await import('./devices.tsx')).Devices) },
    { slot: 'sign-in', title: 'The pairing code', Part: PairThisDevice },
  ],
};
