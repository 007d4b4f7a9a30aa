// Selects the lines of a session's current branch. A session is a tree in which repeating a request abandons a branch.
import { recordIn } from '#lib/values';
import { recordOf, textIn, type Fields } from '../texts.ts';

interface Node {
  readonly index: number;
  readonly parent: string | undefined;
  /** Id of the reply that contains the line. */
  readonly reply: string | undefined;
}

/** Resolves with a function that returns whether to read a line. @param lines all lines of the file, in order */
export async function chooseLines(lines: AsyncIterable<string>): Promise<(line: Fields, index: number) => boolean> {
  const nodes = new Map<string, Node>();
  let index = -1;
  let before: string | undefined;
  let leaf: string | undefined;
  for await (const text of lines) {
    index++;
    const line = recordIn(text);
    const id = textIn(line, 'uuid');
    if (id === undefined || line['isSidechain'] === true) continue;
    const named = textIn(line, 'parentUuid') ?? textIn(line, 'logicalParentUuid');
    // A line whose parent is missing follows the previous line.
    const parent = named !== undefined && !nodes.has(named) ? before : named;
    nodes.set(id, { index, parent, reply: textIn(recordOf(line['message']), 'id') });
    if (line['type'] === 'user' || line['type'] === 'assistant') leaf = id;
    before = id;
  }
  const chosen = new Set<number>();
  const replies = new Set<string>();
  for (let id = leaf; id !== undefined;) {
    const node = nodes.get(id);
    if (!node || chosen.has(node.index)) break;
    chosen.add(node.index);
    if (node.reply !== undefined) replies.add(node.reply);
    id = node.parent;
  }
  return (line, at) => {
    if (line['isSidechain'] === true) return false;
    if (chosen.has(at)) return true;
    // Parallel calls and their results also form branches. A result without its call is ignored.
    const reply = textIn(recordOf(line['message']), 'id');
    return reply === undefined ? holdsResults(line) : replies.has(reply);
  };
}

function holdsResults(line: Fields): boolean {
  const { content } = recordOf(line['message']);
  return Array.isArray(content) && content.length > 0 && content.every((block) => recordOf(block)['type'] === 'tool_result');
}
