// Reads the server-sent events of a control plane.
import { openServerEvents, type ServerEvents } from './server-events.ts';

export type OpenPlaneStream = ServerEvents<any>;

/** Opens the event stream. The caller closes it. */
export const openPlaneStream = (
  url: string,
  path: string,
  { cookie, token, lastEventId }: { readonly cookie?: string; readonly token?: string; readonly lastEventId?: string } = {},
): Promise<OpenPlaneStream> =>
  openServerEvents(url + path, {
    ...(cookie === undefined ? {} : { cookie }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  });
