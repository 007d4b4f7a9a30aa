// Implements the tools fleet_config_apply and fleet_config_publish.
import * as Type from 'typebox';
import type { HeldDocument, TeamDocuments } from 'agent-harness/builtins/account/team-documents';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;

export function fleetTools(documents: Pick<TeamDocuments, 'publish'>, holding: Promise<Pick<HeldDocument, 'refresh'>>): ToolFamily {
  return {
    name: 'team_fleet',
    description: 'Settings that the organisation gives all of its members.',
    tools: [
      {
        name: 'fleet_config_apply',
        description: 'Asks the control plane for the newest fleet configuration and puts it in force; settings change once no turn runs.',
        input: Type.Object({}, strict),
        // The call only applies an automatic update earlier.
        effects: ['read'],
        replay: 'idempotent',
      },
      {
        name: 'fleet_config_publish',
        description:
          'Replaces the settings that the organisation gives all of its members. Only an admin of the organisation can. Give all of them; what is left out is each member’s own again.',
        input: Type.Object(
          {
            env: Type.Record(Type.String({ pattern: '^AGENT_[A-Z0-9_]+$' }), Type.String(), { description: 'Variable → text, such as {"AGENT_CRITIC": "1"}.' }),
            base: Type.Optional(Type.Integer({ minimum: 0, description: 'The revision that was read; the newest when left out.' })),
          },
          strict,
        ),
        effects: ['external'],
        replay: 'never',
        sendsArguments: true,
        needsApproval: () => 'It replaces the settings that the organisation gives all of its members.',
      },
    ],
    load: async () => {
      const apply: RunTool = async () => {
        const { state, revision, problem } = await (await holding).refresh();
        if (state !== 'held') return 'No fleet configuration holds for this account.';
        return `Revision ${revision} of the fleet configuration holds.${problem === undefined ? '' : ` ${problem}`}`;
      };
      const publish: RunTool = ({ env, base }: { readonly env: Readonly<Record<string, string>>; readonly base?: number }, { signal }) =>
        documents.publish({ path: '/api/team/fleet/config', field: 'config', body: { harness: { env } }, base, signal });
      return { fleet_config_apply: apply, fleet_config_publish: publish };
    },
  };
}
