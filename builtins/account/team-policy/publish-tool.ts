// Implements the tool org_policy_publish.
import * as Type from 'typebox';
import type { Services } from 'agent-harness/kernel';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;

export function publishTool(documents: Pick<Services['teamDocuments'], 'publish'>): ToolFamily {
  return {
    name: 'team_policy',
    description: "Publish the organisation's policy.",
    tools: [
      {
        name: 'org_policy_publish',
        description:
          'Replaces the policy of the organisation for all of its members: blocked tools, forced approvals, allowed models, spending caps, and groups. ' +
          'Only admins of the organisation can use it. Pass the whole policy; omitted rules no longer apply.',
        input: Type.Object(
          {
            policy: Type.Record(Type.String(), Type.Unknown(), {
              description:
                'blockedTools, forcedApprovals, allowedModels: lists of names, in which * matches any text. spendingCaps: {perDay, perChat, purposes} in USD. ' +
                'groups: [{name, match: {roles, people}, and the same fields}].',
            }),
            base: Type.Optional(Type.Integer({ minimum: 0, description: 'Revision on which the change is based; default: the newest.' })),
          },
          strict,
        ),
        effects: ['external'],
        replay: 'never',
        sendsArguments: true,
        needsApproval: () => 'It replaces the policy of the whole organisation, and applies to its members within seconds.',
      },
    ],
    load: async () => {
      const publish: RunTool = ({ policy, base }: { readonly policy: object; readonly base?: number }, { signal }) =>
        documents.publish({ path: '/api/team/policy', field: 'policy', body: policy, base, signal });
      return { org_policy_publish: publish };
    },
  };
}
