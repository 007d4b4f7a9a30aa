// Tests mail over SMTP and the behaviour when the server rejects it.
import { expect, onTestFinished, test } from 'vitest';
import { createMail } from '../../../../builtins/control-plane/plane-people/mail.ts';
import { startMailServer, type MailServer } from '../../../helpers/mail-server.ts';
import { addMember, startPlane } from '../../../helpers/plane.ts';

async function startMails(takes = true): Promise<MailServer> {
  const server = await startMailServer(takes);
  onTestFinished(() => server.close());
  return server;
}

test('mails invitations and password reset links to their recipients only', async () => {
  const { url, mails } = await startMails();
  const plane = await startPlane({ environment: { SMTP_URL: url } });
  onTestFinished(() => plane.close());
  const { cookie, member } = await addMember(plane, { email: 'ann@example.org', role: 'owner', org: 'Acme & Sons' });
  const invited = await plane.call('POST', `/api/orgs/${member.org.id}/invites`, { cookie, body: { role: 'member', email: 'ben@example.org' } });
  expect(invited.body).toMatchObject({ mailed: true });
  expect(mails[0]).toContain('To: ben@example.org');
  expect(mails[0]?.replace(/=\r\n/g, '').replace(/=3D/g, '=')).toContain(invited.body.link);
  for (const email of ['nobody@example.org', 'ann@example.org']) {
    expect(await plane.call('POST', '/api/account/reset/begin', { body: { email } })).toMatchObject({ status: 200, body: { ok: true } });
  }
  await expect.poll(() => mails.length).toBe(2);
  expect(mails[1]).toContain('To: ann@example.org');
  // U+212A (Kelvin sign) lowercases to k. The mail must go to the stored address, not to the look-alike.
  await addMember(plane, { email: 'kim@example.org', role: 'member', org: 'Acme & Sons' });
  await plane.call('POST', '/api/account/reset/begin', { body: { email: '\u212Aim@example.org' } });
  await expect.poll(() => mails.length).toBe(3);
  expect(mails[2]).toContain('To: kim@example.org');
  const token = /reset\?token=([\w-]{43})/.exec(mails[1]?.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? '')?.[1];
  expect(await plane.call('POST', '/api/account/reset', { body: { token, password: 'another password' } })).toMatchObject({ status: 200 });
}, 20_000);

test('creates the invitation even if its mail is rejected', async () => {
  const { url } = await startMails(false);
  const plane = await startPlane({ environment: { SMTP_URL: url } });
  onTestFinished(() => plane.close());
  const { cookie, member } = await addMember(plane, { email: 'ann@example.org', role: 'owner' });
  const invited = await plane.call('POST', `/api/orgs/${member.org.id}/invites`, { cookie, body: { role: 'member', email: 'ben@example.org' } });
  expect(invited).toMatchObject({ status: 201, body: { mailed: false } });
  expect(plane.logs.filter((line) => line.startsWith('warn'))).toEqual([expect.stringContaining('an invitation was not sent')]);
  expect(plane.logs.join('\n')).not.toContain('secret of the server');
  const makeError = (reason: string): never => ({ code: `PLANE_PEOPLE_ERR_${reason}` }) as never;
  await expect(createMail(url, () => plane.url, makeError).send('a@b.c', 'x', 'y')).rejects.toMatchObject({ code: 'PLANE_PEOPLE_ERR_MAIL' });
});
