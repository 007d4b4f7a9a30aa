// Describes the functions that each entitlement unlocks. Pure.

export interface Unlock {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const unlocks: readonly Unlock[] = [
  { id: 'pro.managed_inference', title: 'Managed inference.', text: 'Models without a provider key of your own, paid from the wallet.' },
  { id: 'pro.cloud_sync', title: 'Cloud sync.', text: 'Notes follow each member from machine to machine.' },
  { id: 'pro.session_history', title: 'Session history.', text: 'Chats that members upload can be searched from every machine.' },
  { id: 'team.shared_memory', title: 'Shared memory and bus.', text: 'Notes that the whole team reads and writes, and messages between their services.' },
  { id: 'team.audit_log', title: 'Audit log.', text: 'Who did what, with a chain of hashes.' },
  { id: 'team.rbac', title: 'Roles.', text: 'Viewer, member, admin and owner, each with their rights.' },
  { id: 'team.fleet_config', title: 'Fleet configuration.', text: 'Settings for every machine of the team.' },
  { id: 'team.policy_governance', title: 'Policy.', text: 'Tools that are blocked or always ask, models that may be used, caps on spending.' },
  { id: 'enterprise.sso', title: 'Single sign-on.', text: 'Members sign in with the accounts of the organisation.' },
  { id: 'enterprise.self_host', title: 'Own control plane.', text: 'State and findings of the servers that run it.' },
];
