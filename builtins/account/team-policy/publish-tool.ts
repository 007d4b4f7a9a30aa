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
          "Replaces the organisation's policy for all members: blocked tools, forced approvals, allowed models, spending caps, and groups. " +
          'Admins only. Pass the whole policy; omitted parts are removed.',
        input: Type.Object(
          {
            policy: Type.Record(Type.String(), Type.Unknown(), {
              description:
                'blockedTools, forcedApprovals, allowedModels: lists of names; * matches any text. spendingCaps: {perDay, perChat, purposes} in USD. ' +
                'groups: [{name, match: {roles, people}, and the same fields}].',
            }),
            base: Type.Optional(Type.Integer({ minimum: 0, description: 'The revision you read; default: the newest.' })),
          },
          strict,
        ),
        effects: ['external'],
        replay: 'never',
        sendsArguments: true,
        needsApproval: () => 'It replaces the policy of the whole organisation and takes effect within seconds.',
      },
    ],
    load: async () => {
      const publish: RunTool = ({ policy, base }: { readonly policy: object; readonly base?: number }, { signal }) =>
        documents.publish({ path: '/api/team/policy', field: 'policy', body: policy, base, signal });
      return { org_policy_publish: publish };
    },
  };
}
