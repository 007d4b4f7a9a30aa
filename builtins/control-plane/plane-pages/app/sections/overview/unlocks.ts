// Describes the features that each entitlement unlocks. Pure.

export interface Unlock {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const unlocks: readonly Unlock[] = [
  { id: 'pro.managed_inference', title: 'Managed inference.', text: 'Models without your own provider key, paid from the wallet.' },
  { id: 'pro.cloud_sync', title: 'Cloud sync.', text: 'Notes are synchronised between the machines of each member.' },
  { id: 'pro.session_history', title: 'Session history.', text: 'Chats that members upload can be searched from every machine.' },
  { id: 'team.shared_memory', title: 'Shared memory and bus.', text: 'Notes that the whole team reads and writes, and messages between their services.' },
  { id: 'team.audit_log', title: 'Audit log.', text: 'A log of all actions, protected by a hash chain.' },
  { id: 'team.rbac', title: 'Roles.', text: 'Viewer, member, admin and owner, each with its permissions.' },
  { id: 'team.fleet_config', title: 'Fleet configuration.', text: 'Settings for every machine of the team.' },
  { id: 'team.policy_governance', title: 'Policy.', text: 'Blocked tools, mandatory approvals, allowed models and spending caps.' },
  { id: 'enterprise.sso', title: 'Single sign-on.', text: 'Members sign in with the accounts of the organisation.' },
  { id: 'enterprise.self_host', title: 'Own control plane.', text: 'Status and check results of the servers of the control plane.' },
];
