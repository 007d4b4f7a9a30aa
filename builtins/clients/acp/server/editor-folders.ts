// Informs the agent of additional folders that are open in the editor. Access to them needs the same approvals as any path outside the workspace.
import * as Type from 'typebox';
import type { Prompt, Turn } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';

const schema = {
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) }),
  body: Type.Object(
    {
      folders: Type.Array(Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[^\\n\\r]+$' }), {
        maxItems: 100,
        description: 'Absolute paths of all additional folders.',
      }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ ok: Type.Literal(true) }),
};

export interface EditorFolders {
  readonly route: Route<typeof schema>;
  describe(this: void, prompt: Prompt, turn: Turn): Prompt | undefined;
  forget(this: void, chatId: string): void;
}

export function createEditorFolders(chats: Pick<Chats, 'get'>): EditorFolders {
  const known = new Map<string, readonly string[]>();
  return {
    route: {
      key: 'PUT /api/chats/:id/folders',
      summary: 'Sets the additional folders that an editor has open, until the server stops. Replaces the earlier list.',
      tag: 'chats',
      permission: 'chats.write',
      schema,
      async handle({ params, body }) {
        const { chatId } = await chats.get(params.id);
        if (body.folders.length === 0) known.delete(chatId);
        else known.set(chatId, body.folders);
        return { ok: true };
      },
    },
    describe(prompt, { chatId }) {
      const folders = known.get(chatId);
      if (!folders) return undefined;
      const text = `The user also has these folders open; use absolute paths for files in them:\n${folders.join('\n')}`;
      return { ...prompt, tail: [...prompt.tail, { role: 'system', text }] };
    },
    forget: (chatId) => void known.delete(chatId),
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'PUT /api/chats/:id/folders': typeof schema;
  }
}
