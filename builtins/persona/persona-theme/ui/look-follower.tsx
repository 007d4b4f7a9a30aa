// Keeps the page looking as the server says. At first the page came with it; this is for what changes since, in whichever tab.
import { useEffect } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { wearLook } from '#page/kit/worn-look.ts';

export function LookFollower() {
  const client = useClient();
  const { config } = useStore(client.connection);
  useEffect(() => {
    if (config) wearLook(config.personaUiTheme?.tokens);
  }, [config]);
  useEffect(() => {
    const leave = client.on(({ kind }) => {
      if (kind !== 'look_changed') return;
      client.call('GET /api/persona/theme').then(
        ({ personaUiTheme }) => wearLook(personaUiTheme?.tokens),
        () => undefined, // the next change tells again
      );
    });
    return () => {
      leave();
      wearLook(undefined);
    };
  }, [client]);
  return null;
}
