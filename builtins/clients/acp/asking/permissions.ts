// Requests a chat's approvals from the editor; another client may decide first.
import type { PermissionOption, RequestPermissionResponse, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { OpenChat } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { showHidden } from '#lib/hidden-text';
import { codeFence, oneLine } from '#lib/text';
import {
  approvalText,
  previewRunningText,
  networkDecision,
  rehearsalSeen,
  widestKind,
  type Approval,
  type ToolEntry,
  type Transcript,
} from 'agent-harness/transcript';
import { textContent, type ToolCard } from '../projection/tool-card.ts';

export interface Permissions {
  /** Sends new pending approvals to the editor, and withdraws those that another client has decided. */
  see(state: Transcript): void;
  /** Withdraws all requests. */
  withdraw(): void;
}

export interface PermissionsOptions {
  readonly chat: OpenChat;
  /** Returns the call as shown in the editor. */
  card(entry: ToolEntry): ToolCard;
  tell(update: SessionUpdate): void;
  /** Returns whether the editor is the server's only client. */
  isAlone(): Promise<boolean>;
  ask(toolCall: ToolCallUpdate, options: PermissionOption[], signal: AbortSignal): Promise<RequestPermissionResponse>;
}

const [allow, allowNetwork, allowAlways, allowHere, allowKind, reject] = ['allow', 'allow_network', 'allow_always', 'allow_here', 'allow_kind', 'reject'];
const longestName = 300;

export function createPermissions({ chat, card, tell, isAlone, ask }: PermissionsOptions): Permissions {
  const asked = new Map<string, AbortController>();
  /** Approvals that were announced before their request. */
  const announced = new Set<string>();

  function announce({ approvalId, callId }: Approval): void {
    if (announced.has(approvalId)) return;
    announced.add(approvalId);
    tell({ sessionUpdate: 'tool_call_update', toolCallId: callId, content: [textContent(previewRunningText)] });
  }

  async function pass(approval: Approval, entry: ToolEntry | undefined, signal: AbortSignal): Promise<void> {
    const { outcome } = await ask(callOf(approval, entry && card(entry)), optionsOf(approval), signal);
    // An aborted turn needs no decision; a closed request counts as a denial.
    if (signal.aborted) return;
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : reject;
    const network = networkDecision(approval);
    if (chosen === allowNetwork && network) return chat.approve(approval.approvalId, network);
    const kind = chosen === allowKind ? widestKind(approval) : undefined;
    await chat.approve(approval.approvalId, {
      decision: kind !== undefined || chosen === allow || chosen === allowAlways || chosen === allowHere ? 'approve' : 'reject',
      ...rehearsalSeen(approval),
      ...(chosen === allowAlways ? { remember: 'chat' } : chosen === allowHere ? { remember: 'workspace' } : {}),
      ...(kind === undefined ? {} : { remember: 'workspace', kind }),
    });
  }

  /** Denies a call that the editor cannot show, if no other client is connected; the call would otherwise wait forever. */
  async function refuse({ approvalId }: Approval, why: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !(await isAlone().catch(() => false))) return;
    await chat.approve(approvalId, { decision: 'reject', reason: `The editor could not ask: ${why}` }).catch(() => undefined); // another client decided in the meantime
  }

  return {
    see({ approvals, entries }) {
      for (const approval of approvals) {
        if (asked.has(approval.approvalId)) continue;
        // Waits for the preview, because a shown request cannot be changed.
        if (approval.rehearsal?.state === 'running') {
          announce(approval);
          continue;
        }
        announced.delete(approval.approvalId);
        const controller = new AbortController();
        asked.set(approval.approvalId, controller);
        const entry = entries.findLast((one): one is ToolEntry => one.kind === 'tool' && one.callId === approval.callId);
        pass(approval, entry, controller.signal).catch((fault: unknown) => refuse(approval, messageOf(fault), controller.signal));
      }
      for (const [id, controller] of asked) {
        if (approvals.some(({ approvalId }) => approvalId === id)) continue;
        asked.delete(id);
        controller.abort();
      }
    },
    withdraw: () => asked.forEach((controller) => controller.abort()),
  };
}

/** Returns the call for a permission request, including the exact command or change. */
function callOf(approval: Approval, card: ToolCard | undefined): ToolCallUpdate {
  const shown = card?.content.some((one) => one.type === 'diff') ? [] : [textContent(codeFence(showHidden(approvalText(approval))))];
  return {
    toolCallId: approval.callId,
    ...(card ? { title: card.title, kind: card.kind, locations: card.locations } : { title: approval.name }),
    status: 'pending',
    rawInput: approval.args,
    content: [textContent(showHidden(approval.reason)), ...(card?.content.filter((one) => one.type === 'diff') ?? []), ...shown],
  };
}

function optionsOf(approval: Approval): PermissionOption[] {
  const { remembers, always } = approval;
  const kind = widestKind(approval);
  const words = always === undefined ? '' : ` ${oneLine(showHidden(always), longestName)}`;
  return [
    { optionId: allow, name: 'Allow', kind: 'allow_once' },
    ...(networkDecision(approval) ? [{ optionId: allowNetwork, name: 'Allow with network', kind: 'allow_once' as const }] : []),
    ...(remembers === undefined
      ? []
      : [
          { optionId: allowAlways, name: `Allow always: ${oneLine(remembers, longestName)}`, kind: 'allow_always' as const },
          { optionId: allowHere, name: `Allow always${words} in this folder`, kind: 'allow_always' as const },
          ...(kind === undefined
            ? []
            : [{ optionId: allowKind, name: `Allow always ${oneLine(showHidden(kind), longestName)} in this folder`, kind: 'allow_always' as const }]),
        ]),
    { optionId: reject, name: 'Reject', kind: 'reject_once' },
  ] as PermissionOption[];
}
