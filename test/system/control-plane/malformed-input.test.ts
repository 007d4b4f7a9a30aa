// Tests that malformed parameters and bodies cause no 500 on any control plane route. The cases derive from the OpenAPI document.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, startPlane, type AddedMember, type Plane } from '../../helpers/plane.ts';
import { readRoutes, sendTo, type PlaneRoute } from './plane-routes.ts';

let plane: Plane;
let routes: readonly PlaneRoute[];
let owner: AddedMember;

/** Routes that end the session of the other requests. */
const ending = /\/(sign-out|leave)$|^\/api\/account\/sessions$|^\/api\/license\/revoke$/;

beforeAll(async () => {
  plane = await startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '100000', HUB_SIGN_UP: 'open' } });
  routes = readRoutes(plane.kernel.resolve('http').openapi()).filter(({ pattern }) => !ending.test(pattern));
  owner = await addMember(plane, { email: 'owner@odd.example', role: 'owner', org: 'Odd' });
}, 60_000);
afterAll(() => plane.close());

test.each(['\0', '1e30', '99999999999999999999', '0000-01-01T00:00:00Z', '2026-99-99T99:99:99Z'])(
  'never returns 500 for %j in a route or query parameter',
  async (odd) => {
    const { cookie } = owner;
    const sent = await Promise.all(
      routes.flatMap((route) => route.parameters.map(({ name }) => sendTo(plane, route, { cookie }, (asked) => (asked === name ? odd : undefined)))),
    );
    expect(sent.filter(({ status }) => status === 500)).toEqual([]);
  },
  60_000,
);

test.each(['\0', 'half \ud800', '\u202e\u2028'])(
  'never returns 500 for %j in a request body',
  async (odd) => {
    const { cookie, token } = owner;
    const sent = await Promise.all(
      routes.flatMap((route) => {
        if (route.body === undefined) return [];
        // A URL cannot contain half a surrogate pair.
        const needed = new Set(route.parameters.filter(({ required }) => required).map(({ name }) => name));
        return [{ cookie }, { token }].map((who) => sendTo(plane, route, { ...who, text: odd }, (name) => (needed.has(name) ? 'some' : undefined)));
      }),
    );
    expect(sent.filter(({ status }) => status === 500)).toEqual([]);
  },
  60_000,
);
