// Serves `GET /api/skills`: lists the skills of a trusted workspace.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { WorkspaceSkills } from './workspace-skills.ts';

const schema = {
  query: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      workspaceRoot: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4_096, description: 'Absolute path of the workspace; default: the workspace of the chat.' }),
      ),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Name of the only skill to return, with its text.' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    skills: Type.Array(Type.Object({ name: Type.String(), description: Type.String(), folder: Type.String(), text: Type.Optional(Type.String()) })),
  }),
};

export function createSkillsRoute(load: () => Promise<WorkspaceSkills>, chats: Chats): Route<typeof schema> {
  return {
    key: 'GET /api/skills',
    summary: 'Lists the trusted skills of a workspace.',
    tag: 'workspace',
    schema,
    async handle({ query: { chatId, workspaceRoot, name } }) {
      const root = workspaceRoot ?? (await chats.get(chatId)).workspaceRoot;
      const skills = await (await load()).list(root);
      return {
        skills: skills
          .filter((skill) => name === undefined || skill.name === name)
          .map((skill) => ({
            name: skill.name,
            description: skill.description,
            folder: skill.folder,
            ...(name === undefined ? {} : { text: skill.text.trim() }),
          })),
      };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/skills': typeof schema;
  }
}
