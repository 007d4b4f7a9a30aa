// Tests command approvals with a preview of their file changes, and a new approval if the preview is outdated.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { title, whyNot } from '../../unit/builtins/effect-preview/overlay-tests.ts';
import { axeFaults } from './axe-faults.ts';
import { approvalOf, button, reads, say, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe.skipIf(whyNot !== undefined)(title, () => {
  test.each([
    ['wide', {}],
    ['on a phone', phone],
  ])('shows the changes of a command, asks again after a concurrent edit, and applies what was last shown (%s)', async (_width, context) => {
    const command = 'echo two >> a.txt; echo b > b.txt';
    const { page, workspace } = await visit({
      script: [{ toolCalls: [{ name: 'run_command', args: { command } }] }, { text: 'It is applied.' }],
      files: (folder) => writeFile(join(folder, 'a.txt'), 'one\n'),
      context,
    });
    await say(page, 'Add them.');
    const group = approvalOf(page, 'run_command');
    await group.getByText('Preview (ran in a copy). Approving applies exactly these changes:').waitFor();
    expect(await group.getByText('The effects of the program cannot be undone.').count()).toBe(0);
    await appendFile(join(workspace, 'a.txt'), 'by hand\n');
    await button(group, 'Approve').click();
    const why = group.getByText('The preview was not applied and a new approval is needed: a.txt was changed meanwhile.');
    await why.waitFor();
    await group.getByText('View diff').click();
    await group.getByText('by hand').waitFor();
    const [at, box] = [await why.boundingBox(), await group.boundingBox()];
    expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
    expect(await axeFaults(page)).toEqual([]);
    await button(group, 'Approve').click();
    await reads(page, 'It is applied.');
    expect(await readFile(join(workspace, 'a.txt'), 'utf8')).toBe('one\nby hand\ntwo\n');
  });

  test('applies a choice from a menu opened before the preview appeared', async () => {
    const { page } = await visit({
      script: [{ toolCalls: [{ name: 'run_command', args: { command: 'sleep 3; echo b > b.txt' } }] }, { text: 'It is applied.' }],
    });
    await say(page, 'Add it.');
    const group = approvalOf(page, 'run_command');
    await button(group, 'Always…').click();
    const choice = page.getByRole('menuitem', { name: /^In this chat/ });
    await choice.waitFor();
    await group.getByText('Preview (ran in a copy).').waitFor();
    await choice.click();
    await reads(page, 'It is applied.');
  });
});
