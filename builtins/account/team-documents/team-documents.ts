// Follows an organisation's change stream once for all of its documents on this machine.
import { errorOf } from '#lib/errors';
import type { TeamDocuments } from './contract.ts';
import type { DocumentParts } from './document-parts.ts';
import { createCurrentDocument, type CurrentDocument } from './current-document.ts';

/** Delay in milliseconds before reopening a stream that ended permanently. */
const retryMs = 5_000;

export interface OwnedTeamDocuments extends Pick<TeamDocuments, 'hold'> {
  signedIn(): void;
}

export function createTeamDocuments(parts: DocumentParts): OwnedTeamDocuments {
  const held = new Set<CurrentDocument>();
  let following: AbortController | undefined;

  /** Each event and each new connection delivers the complete state, so each triggers a check. */
  function follow(): void {
    const { controlPlane } = parts.services;
    if (following || !controlPlane) return;
    const ending = (following = new AbortController());
    const signal = AbortSignal.any([ending.signal, parts.signal]);
    controlPlane.follow({
      path: '/api/team/changes',
      signal,
      take({ data }) {
        for (const one of held) one.changed(data);
      },
      onState(state) {
        // The stream ended permanently; a new sign-in or a changed role may admit the user again.
        if (state !== 'ended' || signal.aborted) return;
        following = undefined;
        if (held.size > 0) setTimeout(follow, retryMs).unref();
      },
    });
  }

  return {
    signedIn() {
      for (const one of held) one.signedIn();
    },
    async hold(kind) {
      const one = createCurrentDocument(kind, parts);
      held.add(one);
      await one.begin();
      follow();
      return {
        get state() {
          return one.state;
        },
        settled: (limitMs) => one.settled(limitMs),
        refresh: () => one.refresh(),
        async dispose() {
          held.delete(one);
          if (held.size === 0) {
            following?.abort(errorOf('nothing is held any more'));
            following = undefined;
          }
          await one.dispose();
        },
      };
    },
  };
}
