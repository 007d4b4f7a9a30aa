// Recognizes files that control other programs or agents, so that a write affects later runs of them.

interface Steering {
  /** Matches parts in lower case, without folders above the workspace. */
  matches(parts: readonly string[]): boolean;
  readonly why: string;
}

const inFolder =
  (...names: string[]) =>
  (parts: readonly string[]): boolean =>
    parts.some((part) => names.includes(part));
const named =
  (...names: string[]) =>
  (parts: readonly string[]): boolean =>
    names.includes(parts.at(-1) ?? '');
const below =
  (...folders: string[]) =>
  (parts: readonly string[]): boolean =>
    folders.some((folder) => `/${parts.join('/')}`.includes(`/${folder}/`));

const steering: readonly Steering[] = [
  { matches: inFolder('.git'), why: 'git obeys it (hooks, configuration)' },
  { matches: named('.gitmodules', '.gitattributes'), why: 'git obeys it' },
  { matches: inFolder('.husky', '.githooks'), why: 'git runs what it says' },
  { matches: named('.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', '.lintstagedrc'), why: 'git hooks run what it says' },
  {
    matches: named(
      'agents.md',
      'agents.override.md',
      'claude.md',
      'claude.local.md',
      'gemini.md',
      '.cursorrules',
      '.windsurfrules',
      '.clinerules',
      '.goosehints',
    ),
    why: 'it holds instructions for agents',
  },
  { matches: below('.github/instructions', '.github/prompts', '.github/agents'), why: 'it holds instructions for agents' },
  { matches: (parts) => parts.at(-1) === 'copilot-instructions.md', why: 'it holds instructions for agents' },
  {
    matches: inFolder('.agents', '.claude', '.cursor', '.codex', '.gemini', '.windsurf', '.clinerules', '.roo', '.continue', '.kiro', '.opencode'),
    why: 'it holds instructions for agents',
  },
  { matches: named('.mcp.json', 'mcp.json', 'opencode.json'), why: 'it names programs that agents start' },
  { matches: inFolder('.vscode', '.idea', '.zed', '.fleet', '.devcontainer'), why: 'an editor may run what it says' },
  { matches: named('.devcontainer.json', '.exrc', '.vimrc', '.nvim.lua', '.nvimrc', '.dir-locals.el'), why: 'an editor may run what it says' },
  {
    matches: below('.github/workflows', '.github/actions', '.circleci', '.buildkite', '.gitea/workflows', '.forgejo/workflows'),
    why: 'a build service runs what it says',
  },
  {
    matches: named('.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'jenkinsfile'),
    why: 'a build service runs what it says',
  },
  { matches: named('.envrc', '.mise.toml', 'mise.toml'), why: 'a shell runs its commands when a user enters the folder' },
  {
    matches: named('.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin'),
    why: 'a shell runs what it says',
  },
  {
    matches: named('.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml', 'pip.conf', '.pypirc'),
    why: 'a package manager obeys it (where packages come from, what runs)',
  },
  { matches: below('.cargo'), why: 'a build tool obeys it (what it runs)' },
];

/** Returns the reason if writing a file, given relative to the workspace, affects more than its content. */
export function whySteers(shown: string): string | undefined {
  const parts = shown.toLowerCase().split('/');
  return steering.find((one) => one.matches(parts))?.why;
}
