// @vitest-environment happy-dom
// The scripts of the page, in a document: what they draw, and that text never becomes markup.
import { beforeEach, describe, expect, test, vi } from 'vitest';

const { document, requestAnimationFrame } = globalThis as any;
const folder = `${import.meta.dirname}/../../../builtins/clients/web-ui/page`;
const load = (name: string): Promise<any> => import(/* @vite-ignore */ `${folder}/${name}`);

describe('markdown', () => {
  async function render(text: string): Promise<any> {
    const { renderMarkdown } = await load('markdown.js');
    const box = document.createElement('div');
    box.append(renderMarkdown(text));
    return box;
  }

  test('has paragraphs, headings, lists, code and links', async () => {
    const box = await render(
      '# Title\n\nOne `a < b` **two**\nthree\n\n- x\n- y\n\n```js\nlet a = 1;\n\nlet b;\n```\nsee https://example.com/a. And [this](https://example.com/b)',
    );
    expect(box.querySelector('h3')?.textContent).toBe('Title');
    expect(box.querySelector('p code')?.textContent).toBe('a < b');
    expect(box.querySelector('strong')?.textContent).toBe('two');
    expect([...box.querySelectorAll('li')].map((item: any) => item.textContent)).toEqual(['x', 'y']);
    expect(box.querySelector('pre code')?.textContent).toBe('let a = 1;\n\nlet b;');
    expect([...box.querySelectorAll('a')].map((link: any) => [link.getAttribute('href'), link.textContent])).toEqual([
      ['https://example.com/a', 'https://example.com/a'],
      ['https://example.com/b', 'this'],
    ]);
  });

  test('leaves markup as text, and takes no link that is not http', async () => {
    const hostile = '<img src=x onerror="alert(1)"> [x](javascript:alert(1)) <script>alert(1)</script>\n```html\n<b>\n```';
    const box = await render(hostile);
    expect(box.querySelectorAll('img, script, b, a')).toHaveLength(0);
    expect(box.textContent).toContain('<script>alert(1)</script>');
    expect(box.textContent).toContain('javascript:alert(1)');
  });

  test.each(['', '```', '```js\nopen', ' # x', '- ', '#', '~~~', '`', '**', '1. a\n2. b'])('ends for %j', async (text) => {
    const box = await render(text);
    expect(box.textContent.length).toBeLessThanOrEqual(text.length);
  });

  test('keeps a fence with more marks together', async () => {
    const box = await render('````\na ``` b\n```\n````\nafter');
    expect(box.querySelector('pre')?.textContent).toBe('a ``` b\n```');
    expect(box.querySelector('p')?.textContent).toBe('after');
  });
});

test('frames of the stream may come in any pieces', async () => {
  const { createFrameParser } = await load('stream.js');
  const whole = ': hello\n\nid: 7\ndata: {"kind":"a"}\n\ndata: one\ndata: two\r\n\r\n';
  for (const size of [1, 3, 1000]) {
    const frames: unknown[] = [];
    const feed = createFrameParser((frame: unknown) => frames.push(frame));
    for (let at = 0; at < whole.length; at += size) feed(whole.slice(at, at + size));
    expect(frames).toEqual([{ id: '7', data: '{"kind":"a"}' }, { data: 'one\ntwo' }]);
  }
});

describe('conversation', () => {
  let log: any;
  let conversation: any;
  const onGap = vi.fn();
  const drawn = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const inTurn = { chatId: 'chat_1', turnId: 'turn_1' };

  beforeEach(async () => {
    log = document.createElement('ol');
    onGap.mockClear();
    const { createConversation } = await load('conversation.js');
    conversation = createConversation(log, { onChange: () => undefined, onGap });
  });

  const events = [
    { kind: 'message_accepted', ...inTurn, messageId: 'msg_1', text: 'list <b>files</b>', attachments: [] },
    { kind: 'text', ...inTurn, messageId: 'msg_2', offset: 0, delta: 'I ', channel: 'user' },
    { kind: 'text', ...inTurn, messageId: 'msg_2', offset: 2, delta: 'look.', channel: 'user' },
    { kind: 'tool_start', ...inTurn, messageId: 'msg_2', callId: 'call_1', name: 'list_dir' },
    { kind: 'tool_delta', ...inTurn, callId: 'call_1', argsDelta: '{"path":' },
    { kind: 'tool_start', ...inTurn, messageId: 'msg_2', callId: 'call_1', name: 'list_dir', args: { path: '.' }, argsText: '{"path":"."}' },
    { kind: 'tool_result', ...inTurn, callId: 'call_1', name: 'list_dir', ok: true, output: 'a.txt', durationMs: 4 },
    { kind: 'turn_end', ...inTurn, reason: 'aborted' },
  ];

  test('draws messages, cards and the end, and a repeated event changes nothing', async () => {
    for (const event of [...events, ...events]) conversation.take(event);
    await drawn();
    const entries = [...log.children].map((entry: any) => entry.textContent);
    expect(entries).toEqual(['You: list <b>files</b>', 'Assistant: I look.', expect.stringContaining('list_dir'), 'Note: Stopped.']);
    expect(log.querySelector('.tool')?.getAttribute('data-state')).toBe('ok');
    expect(log.querySelector('.output')?.textContent).toBe('a.txt');
    expect(log.querySelector('b')).toBeNull();
  });

  test('the transcript and the events of a turn meet without doubles', async () => {
    conversation.showEntries([
      { id: 'msg_1', kind: 'user', messageId: 'msg_1', text: 'list', attachments: [] },
      { id: 'msg_2', kind: 'assistant', messageId: 'msg_2', text: 'I look.' },
      { id: 'call_1', kind: 'tool', callId: 'call_1', name: 'list_dir', args: { path: '.' } },
    ]);
    for (const event of events.slice(2)) conversation.take(event);
    await drawn();
    expect(log.children).toHaveLength(4);
    expect(log.children[1]?.textContent).toBe('Assistant: I look.');
  });

  test('an older page comes above', async () => {
    conversation.showEntries([{ id: 'msg_9', kind: 'user', messageId: 'msg_9', text: 'new' }]);
    conversation.showEarlier([
      { id: 'msg_1', kind: 'user', messageId: 'msg_1', text: 'old' },
      { id: 'msg_2', kind: 'assistant', messageId: 'msg_2', text: 'reply' },
    ]);
    await drawn();
    expect([...log.children].map((entry: any) => entry.textContent)).toEqual(['You: old', 'Assistant: reply', 'You: new']);
  });

  test('a gap in the text is noticed', () => {
    conversation.take({ ...events[1], offset: 10 });
    expect(onGap).toHaveBeenCalledOnce();
  });

  test('a retry before the first word of a reply leaves the reply before it, and one of a helper leaves all', async () => {
    const retry = { kind: 'provider_retry', ...inTurn, attempt: 1, of: 8, reason: 'rate limit', delayMs: 100 };
    for (const event of events.slice(0, 7)) conversation.take(event);
    conversation.take(retry);
    conversation.take({ kind: 'text', ...inTurn, messageId: 'msg_3', offset: 0, delta: 'First half', channel: 'user' });
    conversation.take({ ...retry, purpose: 'title' });
    conversation.take({ kind: 'usage', ...inTurn, purpose: 'chat' });
    conversation.take(retry);
    await drawn();
    const entries = [...log.children].map((entry: any) => entry.textContent);
    expect(entries).toEqual(expect.arrayContaining(['Assistant: I look.', expect.stringContaining('list_dir'), 'Assistant: First half']));
  });

  test('what a failed attempt streamed goes away', async () => {
    for (const event of events.slice(0, 5)) conversation.take(event);
    conversation.take({ kind: 'provider_retry', ...inTurn, attempt: 1, of: 8, reason: 'rate limit', delayMs: 100 });
    await drawn();
    expect([...log.children].map((entry: any) => entry.textContent)).toEqual(['You: list <b>files</b>', expect.stringContaining('attempt 1 of 8')]);
  });
});
