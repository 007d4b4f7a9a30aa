// Adds the persona to the configuration reply and to the reset reply.
import * as Type from 'typebox';
import type { ReplySection } from 'agent-harness/plugins/http';

export interface SectionParts {
  readonly config: { readonly isAsked: boolean; readonly canSkip: boolean };
  isPending(): Promise<boolean>;
  label(): Promise<string>;
}

const pending = Type.Boolean({ description: 'Whether clients ask for a description of the agent.' });
const configFields = Type.Object({
  personaBootstrapEnabled: Type.Boolean(),
  personaBootstrapPending: pending,
  personaBootstrapAllowSkip: Type.Boolean(),
  personaDisplayLabel: Type.String({ description: 'Name of the persona; empty if there is none.' }),
});
const resetFields = Type.Object({ personaBootstrapPending: pending });

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the sections have different fields
export function replySections({ config, isPending, label }: SectionParts): ReplySection<any>[] {
  return [
    {
      route: 'GET /api/config',
      name: 'persona',
      fields: configFields,
      read: async () => ({
        personaBootstrapEnabled: config.isAsked,
        personaBootstrapPending: await isPending(),
        personaBootstrapAllowSkip: config.canSkip,
        personaDisplayLabel: await label(),
      }),
    },
    {
      route: 'POST /api/session/reset',
      name: 'persona',
      fields: resetFields,
      read: async () => ({ personaBootstrapPending: await isPending() }),
    },
  ];
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/config persona': typeof configFields;
    'POST /api/session/reset persona': typeof resetFields;
  }
}
