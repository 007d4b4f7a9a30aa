// Registers the file tools: reading, searching, writing and editing, with code loaded on first use.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/exact-files';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/trust';
import { createEditorTexts } from './editor-texts.ts';
import { createDecisions } from './paths/decisions.ts';
import { filesFamily } from './family.ts';
import { pathsRoute } from './paths-route.ts';
import type { FilePorts } from './ports.ts';
import { whySteers } from './paths/steering-files.ts';
import { viewRoutes } from './view-routes.ts';
import type { Tickets } from './viewing/tickets.ts';
import { createSeenFiles } from './seen-files.ts';
import { createWorkspaceFiles } from './workspace-files.ts';

export const manifest = {
  name: 'files',
  requires: ['product', 'exactFiles'],
  optional: ['chats', 'checkpoints', 'trust', 'attachments', 'artifacts'],
  provides: ['steeringFiles', 'workspaceFiles'],
  errors: {
    NO_FILE: { message: "'{path}' does not exist in this workspace, or is of another type.", status: 404 },
    OUTSIDE: { message: "'{path}' is outside this workspace, or is protected.", status: 403 },
    TOO_LARGE: { message: "'{path}' is too large to show ({bytes} bytes). Open the file on disk.", status: 413 },
    NOT_SHOWN: { message: "'{path}' is not a text file, so it has no preview page.", status: 415 },
    NO_PREVIEW: { message: 'This preview has expired, or was not opened in its frame. Open it again from the page.', status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { product, exactFiles } = registry.services;
  const { home } = product;
  const ports: FilePorts = {
    home,
    exactFiles,
    decisions: createDecisions({ home }),
    heldTexts: createEditorTexts(),
    seenFiles: createSeenFiles(),
    hasUndo: 'checkpoints' in registry.services,
    attachments: () => registry.services.attachments,
    artifacts: () => registry.services.artifacts,
    checkpoints: () => registry.services.checkpoints,
  };
  registry.provide('steeringFiles', () => ({ why: whySteers }));
  registry.provide('workspaceFiles', () => createWorkspaceFiles(ports));
  registry.point('text_holder', ports.heldTexts.point);
  registry.add('tool_family', filesFamily(ports));
  const { chats } = registry.services;
  if (chats) {
    let tickets: Promise<Tickets> | undefined;
    const loadTickets = async (): Promise<Tickets> => (await import('./viewing/tickets.ts')).createTickets();
    const parts = { chats, ports, tickets: () => (tickets ??= loadTickets()), error: registry.error.bind(registry) };
    for (const route of [pathsRoute(chats, ports), ...viewRoutes(parts)]) registry.add('route', route);
  }
  registry.add('approval_rule', {
    name: 'trusted-files',
    async decide({ callId, tool, args, turn }) {
      const { trust } = registry.services;
      if (!trust || tool.family !== 'files' || !tool.effects?.includes('write')) return undefined;
      const { whyTrustedAsks } = await import('./trusted-content.ts');
      const reason = await whyTrustedAsks(String(args['path']), { callId, workspaceRoot: turn.workspaceRoot }, trust, ports);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
  registry.add('approval_rule', {
    name: 'steering-files',
    async decide({ callId, tool, args, turn }) {
      if (tool.family !== 'files' || !tool.effects?.includes('write')) return undefined;
      const { whySteeringAsks } = await import('./approval.ts');
      const reason = whySteeringAsks(String(args['path']), { callId, workspaceRoot: turn.workspaceRoot }, ports);
      return reason === undefined ? undefined : { verdict: 'ask', reason };
    },
  });
  emitter.tap('attachment.read', async ({ name, bytes, signal }) => {
    const { readDocument } = await import('./documents/read-document.ts');
    const { type, ...found } = await readDocument(bytes, name, signal);
    return { mimeType: type, ...found };
  });
  emitter.tap('tool.after', (_, { callId }) => {
    ports.decisions.forget(callId);
    ports.heldTexts.forget(callId);
  });
}
