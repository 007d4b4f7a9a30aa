// Updates the page's theme after changes on the server, in every tab.
import { useEffect, useRef } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { applyThemeTokens } from '#page/kit/applied-theme.ts';
import { followLook, type FollowedLook } from './follow-look.ts';

export function LookFollower() {
  const client = useClient();
  const { config } = useStore(client.connection);
  const followed = useRef<FollowedLook>(undefined);
  useEffect(() => {
    const look = followLook(client, applyThemeTokens);
    followed.current = look;
    return () => look.leave();
  }, [client]);
  useEffect(() => {
    if (config) followed.current?.take(config.personaUiTheme?.tokens);
  }, [client, config]);
  return null;
}
