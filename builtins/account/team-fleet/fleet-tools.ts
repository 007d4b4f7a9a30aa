// Implements the tools fleet_config_apply and fleet_config_publish.
import * as Type from 'typebox';
import type { HeldDocument, TeamDocuments } from 'agent-harness/builtins/account/team-documents';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;

export function fleetTools(documents: Pick<TeamDocuments, 'publish'>, holding: Promise<Pick<HeldDocument, 'refresh'>>): ToolFamily {
  return {
    name: 'team_fleet',
    description: 'Settings that the organisation sets for all of its members.',
    tools: [
      {
        name: 'fleet_config_apply',
        description: 'Requests the newest fleet configuration from the control plane and applies it; settings change when no turn is running.',
        input: Type.Object({}, strict),
        // With automatic updates enabled, the call only applies the update earlier.
        effects: ['read'],
        replay: 'idempotent',
      },
      {
        name: 'fleet_config_publish',
        description:
          'Replaces the settings that the organisation sets for all of its members. Only admins can use it. Pass all settings; each omitted setting becomes the member’s own choice again.',
        input: Type.Object(
          {
            env: Type.Record(Type.String({ pattern: '^AGENT_[A-Z0-9_]+$' }), Type.String(), {
              description: 'Values by variable name, such as {"AGENT_CRITIC": "1"}.',
            }),
            base: Type.Optional(Type.Integer({ minimum: 0, description: 'Revision on which the change is based; default: the newest.' })),
          },
          strict,
        ),
        effects: ['external'],
        replay: 'never',
        sendsArguments: true,
        needsApproval: () => 'It replaces the settings that the organisation sets for all of its members.',
      },
    ],
    load: async () => {
      const apply: RunTool = async () => {
        const { state, revision, problem } = await (await holding).refresh();
        if (state !== 'held') return 'No fleet configuration applies to this account.';
        return `Revision ${revision} of the fleet configuration applies.${problem === undefined ? '' : ` ${problem}`}`;
      };
      const publish: RunTool = ({ env, base }: { readonly env: Readonly<Record<string, string>>; readonly base?: number }, { signal }) =>
        documents.publish({ path: '/api/team/fleet/config', field: 'config', body: { harness: { env } }, base, signal });
      return { fleet_config_apply: apply, fleet_config_publish: publish };
    },
  };
}
