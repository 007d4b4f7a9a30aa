// Manages the editors that are connected to the server, and selects the editor that serves a chat's file access and terminal commands.
import type { TextHolder, TextHolders } from 'agent-harness/builtins/tools/files';
import type { CommandTerminal, CommandTerminals } from 'agent-harness/builtins/tools/shell';
import { lateAjv } from '#lib/late-ajv';
import { isWithin } from '#lib/paths';
import { jsonOf } from '#lib/values';
import type { WebSocketRoute } from 'agent-harness/plugins/http';
import { createEditor, type Editor } from './editor.ts';
import { editorPath, fromEditor, longestFrame, type FromEditor } from './editor-frames.ts';

export interface EditorBroker {
  readonly socket: WebSocketRoute;
  readonly holders: TextHolders;
  readonly terminals: CommandTerminals;
}

type Lead = Extract<FromEditor, { lead: string }>;

interface Leader {
  readonly editor: Editor;
  /** Omitted if the editor supports no file access. */
  readonly holder: TextHolder | undefined;
  /** Omitted if the editor has no terminals. */
  readonly terminal: CommandTerminal | undefined;
}

/** Maximum number of chats per editor. */
const maxChats = 1_000;

export function createEditorBroker(): EditorBroker {
  /** Editors by chat; the most recent one is used. */
  const leaders = new Map<string, Leader[]>();
  let check: ((value: unknown) => value is FromEditor) | undefined;

  const isFrame = (value: unknown): value is FromEditor => {
    if (!check) {
      const { Ajv2020 } = lateAjv();
      const compiled = new Ajv2020().compile(fromEditor);
      check = (one): one is FromEditor => compiled(one);
    }
    return check(value);
  };

  function leave(editor: Editor, chatId: string): void {
    const left = (leaders.get(chatId) ?? []).filter((one) => one.editor !== editor);
    if (left.length === 0) leaders.delete(chatId);
    else leaders.set(chatId, left);
  }

  function lead(editor: Editor, { lead: chatId, ...what }: Lead): void {
    leave(editor, chatId);
    const leader: Leader = {
      editor,
      holder: what.reads || what.writes ? holderBy(editor, chatId, what) : undefined,
      terminal: what.runs ? terminalBy(editor, chatId, what) : undefined,
    };
    leaders.set(chatId, [...(leaders.get(chatId) ?? []), leader]);
  }

  const leaderOf = (chatId: string): Leader | undefined => leaders.get(chatId)?.at(-1);

  return {
    holders: { name: 'editors', holderOf: (chatId) => leaderOf(chatId)?.holder },
    terminals: { name: 'editors', terminalOf: (chatId) => leaderOf(chatId)?.terminal },
    socket: {
      path: editorPath,
      // The route names no permission, so only the owner can use it: the editor reads and writes file contents and runs commands.
      maxMessageBytes: longestFrame,
      open(connection) {
        const chats = new Set<string>();
        const { editor, send, settle } = createEditor(connection);
        connection.signal.addEventListener('abort', () => chats.forEach((chatId) => leave(editor, chatId)), { once: true });
        connection.onMessage((content) => {
          const frame = jsonOf(String(content));
          if (!isFrame(frame)) return connection.close(4400, 'Invalid message from the editor.');
          if ('reply' in frame || 'ran' in frame) return settle(frame);
          if ('leave' in frame) {
            chats.delete(frame.leave);
            return leave(editor, frame.leave);
          }
          chats.add(frame.lead);
          if (chats.size > maxChats) return connection.close(4429, `An editor can be selected for at most ${maxChats} chats.`);
          lead(editor, frame);
          send({ led: frame.lead });
        });
      },
    },
  };
}

function holderBy(editor: Editor, chatId: string, { reads, writes, folders }: Omit<Lead, 'lead'>): TextHolder {
  return {
    name: 'The editor',
    reads,
    writes,
    gone: editor.gone,
    holds: (path) => folders.some((folder) => isWithin(folder, path)),
    read: (path, signal) => editor.ask(chatId, path, undefined, signal),
    async write(path, text, signal) {
      await editor.ask(chatId, path, text, signal);
    },
  };
}

function terminalBy(editor: Editor, chatId: string, { variables }: Omit<Lead, 'lead'>): CommandTerminal {
  return { name: 'the editor', gone: editor.gone, variables, run: (command, signal) => editor.run(chatId, command, signal) };
}
