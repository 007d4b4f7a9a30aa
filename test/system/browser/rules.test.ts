// Tests approval rules of a folder: suggestion, preview and effect.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { button, isReady, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

test('suggests a rule after repeated approvals, previews its effect and applies it', async () => {
  const commands = ['mkdir one', 'mkdir two', 'mkdir three', 'touch kept', 'mkdir four'];
  const script = commands.flatMap((command) => [{ toolCalls: [{ name: 'run_command', args: { command } }] }, { text: `Ran ${command}.` }]);
  const { page, server, workspace } = await visit({ script });
  await writeFile(join(workspace, 'README.md'), 'Ours.\n');
  await isReady(page);
  // After a command returned the contents of an untrusted folder, only rules for exact calls apply.
  const files = (await server.call('GET', '/api/workspace/trust')).body.subjects.find(({ name }: any) => name === 'files');
  expect((await server.call('POST', '/api/workspace/trust', { name: 'files', digest: files.digest, isTrusted: true })).status).toBe(200);
  for (const command of commands.slice(0, 4)) {
    await say(page, `Please: ${command}`);
    if (command.startsWith('mkdir')) await button(page, 'Approve').click();
    else {
      await button(page, 'Deny').click();
      await button(page, 'Deny now').click();
    }
    await reads(page, `Ran ${command}.`);
  }
  await page.getByRole('button', { name: /^Mode:/ }).click();
  await page.getByRole('menuitem', { name: /Rules…/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Automatic approvals and denials' });
  await dialog.getByText(/Of 4 approvals in this folder since .*: 3 approved, 1 rejected\./).waitFor();
  const row = dialog.getByRole('row', { name: /mkdir …/ });
  expect(await axeFaults(page)).toEqual([]);
  await row.getByRole('button', { name: /Show allowed calls/ }).click();
  await dialog.getByText('This rule would have answered 3 of your last 4 approvals in this folder, and allowed nothing that you did not approve.').waitFor();
  await dialog.getByRole('button', { name: /Allow/ }).click();
  await page.getByRole('button', { name: 'Allow' }).last().click();
  await expect
    .poll(async () => (await server.call('GET', '/api/approval-rules')).body.rules.map(({ words }: any) => words))
    .toEqual(['always mkdir … in this folder']);
  await page.keyboard.press('Escape');
  await say(page, 'Please: mkdir four');
  await reads(page, 'Ran mkdir four.');
  expect((await server.call('GET', '/api/approval-rules')).body.rules[0].answered).toBe(1);
});
