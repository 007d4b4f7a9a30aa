// Helpers for connect tests: a control plane with a provider on the test OAuth server, and the steps of the browser.
import type { PluginModule } from 'agent-harness/kernel';
import type { ConnectProvider } from '../../../../builtins/control-plane/plane-connect/contract.ts';
import type { Plane } from '../../../helpers/plane.ts';

export const rowsModule = (rows: readonly ConnectProvider[]): PluginModule<never> =>
  ({
    manifest: { name: 'connect-rows' },
    register(registry: { add(point: string, item: unknown): void }) {
      for (const row of rows) registry.add('connect_provider', row);
    },
  }) as unknown as PluginModule<never>;

export interface Asked {
  readonly provider?: string;
  readonly state?: string;
  readonly mode?: string;
  readonly redirectUri?: string;
}

export const serviceState = 'ab'.repeat(16);
export const serviceAddress = 'http://127.0.0.1:3001/api/integrations/oauth/handoff';

export function addressOf({ provider = 'bookshop', state = serviceState, mode = 'read_write', redirectUri = serviceAddress }: Asked = {}): string {
  return `/connect/${provider}?${new URLSearchParams({ state, mode, redirect_uri: redirectUri }).toString()}`;
}

/** Requests the consent page. */
export const open = (plane: Plane, cookie: string, asked: Asked = {}): ReturnType<Plane['call']> => plane.call('GET', addressOf(asked), { cookie });

/** Submits the consent form like the browser on the control plane page. */
export async function sendForm(
  plane: Plane,
  cookie: string,
  { provider = 'bookshop', state = serviceState, mode = 'read_write', redirectUri = serviceAddress }: Asked = {},
) {
  const reply = await fetch(`${plane.url}/connect/${provider}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: plane.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ state, mode, redirect_uri: redirectUri }).toString(),
  });
  return { status: reply.status, html: await reply.text() };
}

const unescaped = (html: string): string => html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

export async function agree(plane: Plane, cookie: string, asked: Asked = {}): Promise<{ readonly authorizeUrl: URL; readonly back: string }> {
  const { html } = await sendForm(plane, cookie, asked);
  const authorizeUrl = new URL(unescaped(/href="([^"]+)"/.exec(html)?.[1] ?? ''));
  const reply = await fetch(authorizeUrl, { redirect: 'manual' });
  const back = new URL(reply.headers.get('location') ?? '');
  return { authorizeUrl, back: back.pathname + back.search };
}

export function handOffIn(html: string): { readonly to: string; readonly body: any } {
  const [, to = '""', body = '""'] = /fetch\(("[^"]+"), .*? body: ("(?:[^"\\]|\\.)*") \}/.exec(html) ?? [];
  return { to: JSON.parse(to) as string, body: JSON.parse(JSON.parse(body) as string) };
}
