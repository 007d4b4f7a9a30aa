// Contributes the OpenAPI section to the connections page.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'openapi',
  parts: [
    { slot: 'connections', title: 'The OpenAPI documents', order: 20, Part: lazyPart(async () => (await import('./openapi-section.tsx')).OpenApiSection) },
  ],
};
