// A control plane with an organisation that has been at work, for pictures of its pages.
import { startPlane, type Plane } from '../../helpers/plane.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { answerOfProvider, fillPlane, people } from './filled-plane.ts';
import { signIn } from './plane-accounts.ts';
import type { Page } from 'playwright-core';

/** The pages, by the names of their pictures. */
export const planePages: readonly (readonly [name: string, address: string])[] = [
  ['plane-overview', ''],
  ...['members', 'plan', 'account', 'sessions', 'notes', 'bus', 'policy', 'fleet', 'audit', 'sso', 'organisations', 'connectors', 'status'].map(
    (page) => [`plane-${page}`, page] as const,
  ),
];

export interface PlaneScene {
  readonly plane: Plane;
  /** As the owner, who sees all of them. */
  enter(page: Page): Promise<void>;
  close(): Promise<void>;
}

/** Whoever opens it closes it. */
export async function openPlaneScene(): Promise<PlaneScene> {
  const model = await startScriptedModel(answerOfProvider);
  const plane = await startPlane({
    environment: { HUB_ATTEMPTS_PER_MINUTE: '10000', HUB_UPSTREAM_BASE_URL: model.url, HUB_UPSTREAM_API_KEY: 'sk-of-the-pictures' },
  });
  await fillPlane(plane);
  return {
    plane,
    enter: (page) => signIn({ page }, plane, people.owner),
    async close() {
      await plane.close();
      await model.close();
    },
  };
}
