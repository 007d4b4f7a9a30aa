// Writes the files of a finished chat to a home without running a server.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const at = '2026-01-01T00:00:00.000Z';

export interface WrittenChat {
  readonly home: string;
  readonly workspace: string;
  readonly title?: string;
  readonly entries: number;
  readonly answerOf?: (turn: number) => string;
}

/** Writes the chat, makes it the active one and returns its id. */
export function writeChat({ home, workspace, title = 'A long chat', entries, answerOf = plainAnswer }: WrittenChat): string {
  const chatId = `chat_01TEST${'0'.repeat(20)}`;
  const folder = join(home, 'chats', chatId);
  mkdirSync(folder, { recursive: true });
  const events: object[] = [];
  const add = (kind: string, fields: object): void => void events.push({ id: events.length + 1, kind, at, chatId, ...fields });
  for (let turn = 0; turn < entries / 2; turn++) {
    const turnId = `turn_01TEST${String(turn).padStart(20, '0')}`;
    const usage = { input: 10, output: 5, cached: 0 };
    add('message_accepted', { turnId, messageId: `msg_u${turn}`, text: `question ${turn}`, attachments: [] });
    add('turn_start', { turnId, messageId: `msg_u${turn}`, model: 'scripted' });
    add('text', { turnId, messageId: `msg_a${turn}`, offset: 0, delta: answerOf(turn), channel: 'user' });
    add('turn_end', { turnId, reason: 'done', durationMs: 10, rounds: 1, tools: 0, usage });
  }
  const meta = {
    chatId,
    title,
    workspaceMode: 'folder',
    workspaceRoot: workspace,
    workspaceFingerprint: `path:${workspace}`,
    createdAt: at,
    updatedAt: at,
    turns: entries / 2,
  };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta));
  writeFileSync(join(folder, 'session.jsonl'), `${events.map((event) => JSON.stringify(event)).join('\n')}\n`);
  writeFileSync(join(home, 'active_chat.json'), JSON.stringify({ chatId }));
  writeFileSync(join(home, 'event_id.json'), JSON.stringify({ next: events.length + 1_000 }));
  return chatId;
}

function plainAnswer(turn: number): string {
  const list = turn % 3 === 0 ? '\n\n- one\n- two\n- three' : '';
  const code = turn % 5 === 0 ? `\n\n\`\`\`ts\nexport const answer${turn} = ${turn};\n\`\`\`` : '';
  return `answer ${turn}: some words that fill **a line or two** of the transcript, as answers do.${list}${code}`;
}
