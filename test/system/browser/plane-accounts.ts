// Creates control plane accounts and signs browsers in.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#lib/hash';
import type { Page } from 'playwright-core';
import type { Plane } from '../../helpers/plane.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly cookie: string;
  readonly orgId: string;
  readonly userId: string;
}

/** Signs up the first owner, or an invited person. */
export async function signUp(
  plane: Plane,
  body: { readonly email: string; readonly orgName?: string; readonly setup?: string; readonly invite?: string },
): Promise<Account> {
  const password = passwordOf(body.email);
  const reply = await plane.call('POST', '/api/account/sign-up', { body: { ...body, password } });
  if (reply.status !== 200) throw new Error(`${body.email} could not sign up: ${JSON.stringify(reply.body)}`);
  const cookie = reply.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return { email: body.email, password, cookie, orgId: reply.body.organisation.id, userId: reply.body.person.id };
}

export async function setUpToken(plane: Plane): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await plane.kernel.resolve('database').query(`insert into set_up_token (token_hash, ends_at) values ($1, now() + interval '1 hour')`, [sha256(token)]);
  return token;
}

export async function signIn({ page }: { readonly page: Page }, plane: Plane, email: string): Promise<void> {
  const reply = await plane.call('POST', '/api/account/sign-in', { body: { email, password: passwordOf(email) } });
  const [name = '', value = ''] = reply.headers.get('set-cookie')?.split(';', 1)[0]?.split('=', 2) ?? [];
  await page.context().addCookies([{ name, value, url: plane.url }]);
}

const passwordOf = (email: string): string => `password of ${email}`;
