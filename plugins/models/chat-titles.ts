// Returns chat titles to callers that may read chats.
import type { Chats } from 'agent-harness/plugins/chats';
import type { Http } from 'agent-harness/plugins/http';
import type { ViewAsker } from 'agent-harness/plugins/views';

interface Services {
  readonly chats: Pick<Chats, 'list'> | undefined;
  readonly http: Pick<Http, 'permits'> | undefined;
}

/** Returns the titles by chat id, including archived chats; `undefined` for callers without the permission to read chats. */
export async function chatTitles({ chats, http }: Services, { principal }: ViewAsker): Promise<ReadonlyMap<string, string> | undefined> {
  if (!chats || (principal && http?.permits(principal, 'chats.read') !== true)) return undefined;
  const { chats: found } = await chats.list({ archived: true });
  return new Map(found.map(({ chatId, title }) => [chatId, title]));
}
