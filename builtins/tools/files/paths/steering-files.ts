// Recognises files that control other programs or agents; writing such a file affects their later runs.

interface Steering {
  /** Returns whether path parts match; they are in lower case and without folders above the workspace. */
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
  { matches: inFolder('.git'), why: 'it controls git (hooks, configuration)' },
  { matches: named('.gitmodules', '.gitattributes'), why: 'it controls git' },
  { matches: inFolder('.husky', '.githooks'), why: 'git runs its commands' },
  { matches: named('.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml', '.lintstagedrc'), why: 'git hooks run its commands' },
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
    why: 'it contains instructions for agents',
  },
  { matches: below('.github/instructions', '.github/prompts', '.github/agents'), why: 'it contains instructions for agents' },
  { matches: (parts) => parts.at(-1) === 'copilot-instructions.md', why: 'it contains instructions for agents' },
  {
    matches: inFolder('.agents', '.claude', '.cursor', '.codex', '.gemini', '.windsurf', '.clinerules', '.roo', '.continue', '.kiro', '.opencode'),
    why: 'it contains instructions for agents',
  },
  { matches: named('.mcp.json', 'mcp.json', 'opencode.json'), why: 'it defines programs that agents start' },
  { matches: inFolder('.vscode', '.idea', '.zed', '.fleet', '.devcontainer'), why: 'an editor may run its commands' },
  { matches: named('.devcontainer.json', '.exrc', '.vimrc', '.nvim.lua', '.nvimrc', '.dir-locals.el'), why: 'an editor may run its commands' },
  {
    matches: below('.github/workflows', '.github/actions', '.circleci', '.buildkite', '.gitea/workflows', '.forgejo/workflows'),
    why: 'a build service runs its commands',
  },
  {
    matches: named('.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'jenkinsfile'),
    why: 'a build service runs its commands',
  },
  { matches: named('.envrc', '.mise.toml', 'mise.toml'), why: 'a shell runs its commands when a user enters the folder' },
  {
    matches: named('.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin'),
    why: 'a shell runs its commands',
  },
  {
    matches: named('.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml', 'pip.conf', '.pypirc'),
    why: 'it controls a package manager (package sources, scripts)',
  },
  { matches: below('.cargo'), why: 'it controls a build tool (programs that it runs)' },
];

/** Returns the reason if writing a file affects more than its content; `undefined` otherwise. @param shown path relative to the workspace */
export function whySteers(shown: string): string | undefined {
  const parts = shown.toLowerCase().split('/');
  return steering.find((one) => one.matches(parts))?.why;
}
