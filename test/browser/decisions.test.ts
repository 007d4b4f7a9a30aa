// What the agent asks a person: approvals of every outcome, and questions.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvalOf, button, conversation, isIdle, lastUserText, reads, say, toolCards, useBrowser } from './use-browser.ts';

const visit = useBrowser();

const touch = (file: string) => ({ toolCalls: [{ name: 'run_command', args: { command: `touch ${file}` } }] });
/** What the model was told about the last call. */
const toolAnswer = (request: { readonly body: any }): string => JSON.stringify(request.body.messages.findLast((message: any) => message.role === 'tool'));

test('an approval shows the command, its folder, what it may do and the time left; approved, it runs', async () => {
  const { page, workspace } = await visit({ script: [touch('made.txt'), { text: 'It is made.' }] });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await group.waitFor();
  const shown = await group.innerText();
  expect(shown).toContain('touch made.txt');
  expect(shown).toContain(workspace);
  expect(await group.getByRole('progressbar').count()).toBe(1);
  expect(await toolCards(page, 'waiting').count()).toBe(1);
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  await button(group, 'Approve').click();
  await reads(page, 'It is made.');
  await group.waitFor({ state: 'detached' });
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
  expect(await toolCards(page, 'ok').count()).toBe(1);
});

test('arguments can be edited in place before they run; broken JSON is said and not sent', async () => {
  const { page, workspace, server } = await visit({ script: [touch('first.txt'), { text: 'Done.' }] });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await button(group, 'Edit').click();
  const field = group.getByLabel('Arguments');
  await field.fill('{"command": ');
  await group.getByText(/not valid JSON/).waitFor();
  await button(group, 'Approve edited').click({ force: true });
  expect((await server.call('GET', '/api/pending')).body.approvals).toHaveLength(1);
  await field.fill(JSON.stringify({ command: 'touch second.txt' }));
  await button(group, 'Approve edited').click();
  await reads(page, 'Done.');
  expect([existsSync(join(workspace, 'first.txt')), existsSync(join(workspace, 'second.txt'))]).toEqual([false, true]);
});

test('a rejection carries its reason to the model, and the card says who decided', async () => {
  const { page, workspace, model } = await visit({ script: [touch('made.txt'), { text: 'Then not.' }] });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await button(group, 'Reject').click();
  await group.getByLabel('Reason (optional)').fill('not on a Friday');
  await button(group, 'Reject now').click();
  await reads(page, 'Then not.');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  expect(toolAnswer(await model.request(1))).toContain('not on a Friday');
  expect(await toolCards(page, 'failed').count()).toBe(1);
});

test('a reason is sent even where the card came up this very moment', async () => {
  const { page, workspace, server, model } = await visit({ script: [touch('one.txt'), touch('two.txt'), { text: 'One of them.' }] });
  await say(page, 'make both');
  await approvalOf(page, 'run_command').filter({ hasText: 'touch one.txt' }).waitFor();
  const [first] = (await server.call('GET', '/api/pending')).body.approvals;
  await server.call('POST', '/api/approve', { approvalId: first.approvalId, decision: 'approve' });
  const second = approvalOf(page, 'run_command').filter({ hasText: 'touch two.txt' });
  await button(second, 'Reject').click();
  await second.getByLabel('Reason (optional)').fill('one is enough');
  await button(second, 'Reject now').click();
  await reads(page, 'One of them.');
  expect([existsSync(join(workspace, 'one.txt')), existsSync(join(workspace, 'two.txt'))]).toEqual([true, false]);
  expect(toolAnswer(await model.request(2))).toContain('one is enough');
});

test('nobody answers: the approval goes away by itself and the turn goes on', async () => {
  const { page, workspace } = await visit({ script: [touch('made.txt'), { text: 'Nobody was there.' }], environment: { AGENT_APPROVAL_TIMEOUT_MS: '10000' } });
  await say(page, 'make it');
  await approvalOf(page, 'run_command').waitFor();
  await reads(page, 'Nobody was there.');
  await approvalOf(page, 'run_command').waitFor({ state: 'detached' });
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
});

test('remembered for this chat, the same command is not asked again', async () => {
  const { page, workspace } = await visit({ script: [touch('made.txt'), { text: 'Once.' }, touch('made.txt'), { text: 'Twice.' }] });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await group.getByLabel('Remember for this chat').check();
  await button(group, 'Approve').click();
  await reads(page, 'Once.');
  await isIdle(page);
  await say(page, 'again');
  await reads(page, 'Twice.');
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
});

test('the title of a page that nobody looks at says that something waits', async () => {
  const { page, openTab, server } = await visit({ script: [touch('made.txt'), { text: 'Done.' }] });
  await say(page, 'make it');
  await approvalOf(page, 'run_command').waitFor();
  // Another tab in front hides this one only where there are windows; so the page is told.
  const show = (isShown: boolean): Promise<void> =>
    page.evaluate((shown) => {
      Object.defineProperty(document, 'visibilityState', { value: shown ? 'visible' : 'hidden', configurable: true });
      Object.defineProperty(document, 'hidden', { value: !shown, configurable: true });
      document.hasFocus = () => shown;
      document.dispatchEvent(new Event('visibilitychange'));
      dispatchEvent(new Event(shown ? 'focus' : 'blur'));
    }, isShown);
  // The title of a new chat comes with its first message.
  await expect.poll(() => page.title()).toMatch(/^make it/);
  const before = await page.title();
  await show(false);
  await expect.poll(() => page.title()).toMatch(/waits.*run_command/);
  const other = await openTab();
  await button(approvalOf(other, 'run_command'), 'Approve').click();
  await expect.poll(() => page.title()).toMatch(/^Done/);
  await show(true);
  await expect.poll(() => page.title()).toBe(before);
  expect((await server.call('GET', '/api/pending')).body.approvals).toEqual([]);
});

test('a question is answered by one of its options', async () => {
  const { page, model } = await visit({
    script: [{ toolCalls: [{ name: 'ask_user', args: { prompt: 'Which colour?', options: ['red', 'green'] } }] }, { text: 'Green it is.' }],
  });
  await say(page, 'paint it');
  const group = page.getByRole('group', { name: 'Question' });
  await group.getByText('Which colour?').waitFor();
  await button(group, 'green').click();
  await reads(page, 'Green it is.');
  await group.waitFor({ state: 'detached' });
  expect(toolAnswer(await model.request(1))).toContain('green');
  expect(await conversation(page).innerText()).toContain('Which colour?');
});

test('a question is answered in free words', async () => {
  const { page, model } = await visit({ script: [{ toolCalls: [{ name: 'ask_user', args: { prompt: 'What name?' } }] }, { text: 'Hello, Ann.' }] });
  await say(page, 'greet me');
  const group = page.getByRole('group', { name: 'Question' });
  await group.getByLabel('Answer').fill('Ann, of course');
  await button(group, 'Answer').click();
  await reads(page, 'Hello, Ann.');
  expect(toolAnswer(await model.request(1))).toContain('Ann, of course');
  expect(lastUserText(await model.request(1))).toContain('greet me');
});
