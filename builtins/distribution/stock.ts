// The stock distribution: which platform plugins and which built-ins the product has, with the reason for each.
import type { Distribution } from './distribution.ts';

/** The build puts these, and the built-ins below, into the file from which they are loaded at once. */
export const stockPlatform = [
  // Ground: what all others stand on.
  'storage', // what the home folder holds, whole or not at all
  'exact-files', // files of workspaces, whatever a program puts in their place
  'processes', // what was started is found again and ended
  'patterns', // a pattern from outside cannot keep the server busy
  'settings', // a person's choices, and those of a fleet
  'schedule', // what is due runs once, and again after a restart

  // The turn.
  'chats', // conversations, and the journal that everything goes through
  'models', // the one way to a provider
  'tools', // the one way to a tool
  'policy', // the gate: what runs, what asks, what is refused
  'agent', // the turn itself

  // Callables.
  'http', // every client comes through it
  'stream', // what happens reaches clients while it happens
  'ui', // plugins show something in the page
  'views', // and something that every client shows
  'commands', // the command line, and `/commands` in a chat

  // Accounts and trust.
  'connections', // tools of others, with their secrets
  'trust', // what a workspace brings along counts once somebody said so
  'licensing', // what an account unlocks
] as const satisfies readonly string[];

/** Those that a distribution has unless it lists its own. */
export const stockBuiltins = [
  // Clients: how a person and other programs reach the agent.
  'cli', // the command line, and the server itself
  'tui', // a conversation in a terminal
  'web-ui', // the page that most people use
  'mcp-server', // other agents may use this one
  'acp', // and so do editors
  'chat-export', // a chat can be kept, shared and had back
  'absent-features', // clients read what holds where a feature is missing

  // Desktop: an app of its own.
  'desktop-window', // the page in a window of this machine
  'desktop-protocol', // one connection for all that a client says and hears
  'remote', // its window on another device, for whoever was given a code
  'remote-cloud', // the same from outside of the network, sealed from end to end

  // Models: who answers.
  'model-demo', // something answers before there is a key
  'model-chat-completions', // most endpoints, hosted and local
  'model-messages', // endpoints in the style of Anthropic's
  'budgets', // what each kind of work may cost in a day
  'forecast', // and what a turn will likely come to

  // Tools: what the agent can do.
  'files', // reading and changing the workspace
  'shell', // running its programs
  'web', // reading what stands elsewhere
  'browser', // pages that only a browser shows
  'memory', // what outlives a conversation
  'vault', // the user's own notes
  'plan', // long work stays visible
  'ask-user', // a question in place of a guess
  'subagents', // parts of the work beside each other
  'skills', // what a workspace says about working in it
  'prompt-templates', // what a person says often has a name
  'artifacts', // large outputs stay readable

  // Connections: tools of others.
  'mcp', // servers of the Model Context Protocol
  'openapi', // any API that has a document
  'integrations', // accounts at other services
  'bundles', // what was made for other agents
  'agent-import', // what was said with other agents goes on here
  'plugin-life', // plugins of others come in, and go without a trace

  // Voice: talking to it, and hearing it.
  'audio-engines', // which engine listens and which speaks
  'audio-hosted', // a provider does both
  'audio-local', // and so do programs of this machine
  'transcription', // what is said becomes text
  'speech', // replies are heard, too

  // Turn: what makes a turn better or safer.
  'checkpoints', // a turn can be undone
  'effect-preview', // a yes is about what a command changes, not about its words
  'intent', // instructions only where they matter
  'compression', // a long conversation fits
  'elision', // large results that are old cost nothing
  'distill', // a huge output is summed up
  'recall-prime', // notes come before they are asked for
  'query-rewrite', // notes are found in other words
  'rule-recall', // rules are remembered when they apply
  'memory-extract', // what was learned is kept
  'chat-titles', // a long first message gets a short name
  'vault-episodes', // what was done is written down
  'critic', // an answer is checked against what it rests on
  'reflexion', // a failure leads to its cause
  'origins', // what leaves is known by where it came from
  'flow-rules', // and asks where it came from a secret or from somebody else
  'safety-judge', // fewer questions about what is harmless
  'rule-trials', // and by rules that were tried on what was asked
  'replay', // a turn is run again, as it was or with something changed
  'why', // what made a turn so is told, down to the sentence
  'support-file', // somebody else can reproduce a turn, from a file that was looked through
  'direct-call', // a tool without a model
  'failure-log', // failures can be counted
  'eval-sink', // models can be compared

  // Persona: who the agent is for this person.
  'persona', // what a person wants it to be like holds in every chat
  'persona-theme', // and how the page looks with it

  // Background: what goes on while nobody asks.
  'evidence-gates', // what is noted by itself rests on words that were said
  'push', // browsers are told while their page is closed
  'heartbeat', // a thought after a turn, and perhaps a nudge
  'dream', // what was said in many chats becomes notes, and can be taken back

  // Account: what a person has elsewhere.
  'hub', // the hosted account
  'managed-inference', // models without an own key
  'notes-sync', // notes here and on a control plane are kept alike
  'cloud-sync', // a person's notes follow them
  'team-memory', // a team knows what one of it learned
  'session-history', // chats are found from every machine
  'enterprise-package', // plugins that a paid tier brings
  'pairing', // further devices
  'pairing-outside', // the page on those that are outside of the network, sealed from end to end
  'team-documents', // what an organisation laid down holds, offline too
  'team-policy', // its policy: what never runs, what a person approves, which models, how much
  'team-fleet', // settings that it gives all of its members
  'team-bus', // agents of a team tell each other
  'team-audit', // what turns came to, in numbers
  'team-admin', // who is in it
  'enterprise-sso', // how its people sign in
  'enterprise-self-host', // how its own control plane is doing
] as const satisfies readonly string[];

export const stock: Distribution = {
  name: 'app',
  title: 'Agent Harness',
  programs: {
    'control-plane': {
      summary: 'Runs a control plane of your own: accounts, teams, managed inference.',
      load: async () => (await import('./control-plane.ts')).controlPlane,
    },
  },
};
