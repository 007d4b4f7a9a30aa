// When a file tool needs a person's yes, as a sentence.
import { isFailure } from './failure.ts';
import { locate, type Located } from './locate.ts';
import type { FilePorts } from './ports.ts';

/** Files that other programs obey, or that steer the agent itself. */
const steering: readonly { readonly matches: (parts: readonly string[]) => boolean; readonly why: string }[] = [
  { matches: (parts) => parts.includes('.git'), why: 'git obeys it (hooks, configuration)' },
  { matches: (parts) => parts.at(-1) === 'agents.md' || parts.includes('.agents'), why: 'it holds instructions for agents' },
  { matches: (parts) => parts.some((part) => part === '.vscode' || part === '.idea'), why: 'an editor may run what it says' },
];

/** `undefined`: nobody needs to be asked. A path that cannot be used at all is left for the tool to refuse. */
export function whyReadingAsks(path: string, workspaceRoot: string, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, workspaceRoot, ports);
  return located && !located.isInside ? `It reads ${located.shown}, which is outside the workspace.` : undefined;
}

/** Why a write changes what others obey, whatever was allowed before. */
export function whySteeringAsks(path: string, workspaceRoot: string, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, workspaceRoot, ports);
  const parts = located?.shown.toLowerCase().split('/') ?? [];
  const steered = steering.find((one) => one.matches(parts));
  return steered && `It writes ${located?.shown}: ${steered.why}.`;
}

/** Like {@link whyReadingAsks}. */
export function whyWritingAsks(path: string, workspaceRoot: string, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, workspaceRoot, ports);
  if (!located) return undefined;
  if (!located.isInside) return `It writes ${located.shown}, which is outside the workspace.`;
  return ports.hasUndo ? undefined : `It writes ${located.shown}, and nothing can undo that here.`;
}

function locateIfUsable(path: string, workspaceRoot: string, ports: FilePorts): Located | undefined {
  try {
    return locate(path, workspaceRoot, ports.home);
  } catch (fault) {
    if (isFailure(fault)) return undefined;
    throw fault;
  }
}
