// Defines the stock distribution: its platform plugins and built-ins, with the purpose of each.
import type { Distribution } from './distribution.ts';

/** Platform plugins. The build bundles them and the built-ins below into one file. */
export const stockPlatform = [
  // Foundation of all other plugins.
  'storage', // atomic file storage in the home folder
  'exact-files', // workspace files, protected against replaced links
  'processes', // tracks and ends child processes
  'patterns', // time-limited matching of external patterns
  'settings', // settings of the user and of a fleet
  'schedule', // jobs run once when due, also after a restart

  // The turn.
  'chats', // conversations, and the journal of all events
  'models', // the only route to a provider
  'tools', // the only route to a tool
  'policy', // approvals, rules and modes for tool calls
  'agent', // the turn itself

  // Entry points.
  'http', // the server for all clients
  'stream', // live events for clients
  'ui', // panels of plugins in the page
  'views', // plugin views in all clients
  'commands', // the command line, and slash commands

  // Accounts and trust.
  'connections', // connections to external tools, with their secrets
  'trust', // workspace content is used only after approval
  'licensing', // licenses and tiers
] as const satisfies readonly string[];

/** Default built-ins of a distribution. */
export const stockBuiltins = [
  // Clients: access for users and for other programs.
  'cli', // the command line, and the server itself
  'tui', // a conversation in a terminal
  'web-ui', // the main web page
  'mcp-server', // access for other agents
  'acp', // access for editors
  'chat-export', // export, sharing and import of chats
  'absent-features', // default values for clients if a feature is missing

  // Desktop: the native app.
  'desktop-window', // the page in a native window
  'desktop-protocol', // one connection for all client traffic
  'remote', // screen sharing with another device, by a code
  'remote-cloud', // the same across networks, end-to-end encrypted

  // Models.
  'model-demo', // demo answers until a key is set
  'model-chat-completions', // most endpoints, hosted and local
  'model-messages', // Anthropic-style endpoints
  'budgets', // daily budgets by purpose
  'turn-costs', // cost of a turn by purpose, plugin and message

  // Tools.
  'files', // reading and changing the workspace
  'shell', // running commands
  'web', // web search and pages
  'browser', // pages that need a browser
  'memory', // long-term memory
  'vault', // the user's own notes
  'plan', // progress of long work
  'ask-user', // questions to the user
  'subagents', // parallel subtasks
  'skills', // workspace instructions for the agent
  'prompt-templates', // named prompts
  'artifacts', // reading of large outputs

  // Connections to external tools.
  'mcp', // Model Context Protocol servers
  'openapi', // APIs with an OpenAPI document
  'integrations', // accounts at other services
  'bundles', // bundles made for other agents
  'agent-import', // import of conversations from other agents
  'plugin-life', // installation and removal of third-party plugins

  // Voice.
  'audio-engines', // selection of the speech engines
  'audio-hosted', // hosted speech engines
  'audio-local', // local speech engines
  'transcription', // speech to text
  'speech', // spoken replies

  // Turn: quality and safety.
  'checkpoints', // undo of a turn
  'effect-preview', // approval of a command's effects instead of its text
  'intent', // prompt sections by intent
  'compression', // fits long conversations into the context
  'elision', // replaces old large results by pointers
  'distill', // summarizes huge outputs
  'recall-prime', // adds relevant notes to the prompt
  'query-rewrite', // finds notes by rephrased questions
  'rule-recall', // reminds the model of relevant rules
  'memory-extract', // stores new facts of a turn
  'chat-titles', // generated chat titles
  'vault-episodes', // records each turn in the vault
  'critic', // checks answers against the evidence
  'reflexion', // lessons from failed rounds
  'origins', // finds the origin of outgoing text
  'flow-rules', // requires approval before a call sends secrets or external content
  'safety-judge', // auto-approves harmless commands
  'rule-trials', // proposes rules from past approvals
  'replay', // replays turns
  'why', // explains turns, calls and sentences
  'support-file', // reviewable files for reproducing a turn
  'direct-call', // tool calls without a model
  'failure-log', // statistics of failures
  'eval-sink', // log for comparing models

  // Persona: behaviour of the agent for this user.
  'persona', // the user's preferences, for every chat
  'persona-theme', // a matching page theme

  // Background work.
  'evidence-gates', // requires quotes as evidence for automatic notes
  'push', // push notifications to closed pages
  'heartbeat', // follow-ups after a turn
  'dream', // consolidates chats into notes, with undo

  // Account and team.
  'hub', // the hosted account
  'managed-inference', // models without an API key
  'notes-sync', // synchronizes notes with a control plane
  'cloud-sync', // a user's notes on all machines
  'team-memory', // shared team knowledge
  'session-history', // search in chats from all machines
  'enterprise-package', // plugins of paid tiers
  'pairing', // additional devices
  'pairing-outside', // additional devices across networks, end-to-end encrypted
  'team-documents', // applies an organisation's documents, even offline
  'team-policy', // its policy: forbidden calls, approvals, models, budgets
  'team-fleet', // settings for all members
  'team-bus', // messages between a team's agents
  'team-audit', // usage figures for the team
  'team-admin', // members
  'enterprise-sso', // sign-in of members
  'enterprise-self-host', // status of a self-hosted control plane
] as const satisfies readonly string[];

export const stock: Distribution = {
  name: 'app',
  title: 'Agent Harness',
  programs: {
    'control-plane': {
      summary: 'Runs your own control plane: accounts, teams, managed inference.',
      load: async () => (await import('./control-plane.ts')).controlPlane,
    },
  },
};
