// Manages the bus feeds of this node: refreshes them on signals from other nodes, and polls in case signals are lost.
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { Signals } from 'agent-harness/builtins/control-plane/plane-signals';
import { createBusFeed, type BusFeed } from './bus-feed.ts';
import type { BusLog, BusMessage, BusPlace } from './bus-log.ts';

export interface BusFeeds {
  /**
   * Returns the feed of a workspace with all messages that were committed before the call. Rejects with the database's error. Use the feed at once: a feed
   * without watchers is dropped.
   */
  open(place: BusPlace): Promise<BusFeed>;
  /** Sends a new message to every node, so that it need not be read from the database. A node that misses the signal reads the message later. */
  announce(place: BusPlace, message: BusMessage): void;
  /** Polls for new messages. Contract: never rejects. */
  poll(): Promise<void>;
  dispose(): void;
}

export interface FeedParts {
  readonly log: BusLog;
  readonly signals: Signals;
  readonly onFault: (fault: unknown) => void;
}

/** Interval of the poll timer in milliseconds. */
const tickMs = 1_000;
/** Polling interval in ticks while signals work; a single signal may still be lost. */
const calmTicks = 5;

/** Creates the feeds of all workspaces with subscribers. The caller must dispose them. */
export function createBusFeeds({ log, signals, onFault }: FeedParts): BusFeeds {
  interface Open {
    readonly feed: BusFeed;
    stop(): void;
  }
  const feeds = new Map<string, Open>();
  const opening = new Map<string, Promise<BusFeed>>();
  let ticks = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let isBehind = false;

  function refresh(feed: BusFeed): Promise<void> {
    return feed.refresh().catch((fault: unknown) => {
      isBehind = true;
      onFault(fault);
    });
  }

  async function make(place: BusPlace, topic: string): Promise<BusFeed> {
    // Subscribes before the cursor is read; otherwise, messages published in between would be missed.
    let feed: BusFeed | undefined;
    let isEarly = false;
    const subscription = signals.subscribe(topic, (payload) => {
      if (!feed) isEarly = true;
      else if (!isMessage(payload) || !feed.offer(payload)) void refresh(feed);
    });
    try {
      feed = createBusFeed(log, place, await log.head(place));
      if (isEarly) await feed.refresh();
      feeds.set(topic, { feed, stop: () => void subscription.dispose() });
      timer ??= setInterval(tick, tickMs).unref();
      return feed;
    } catch (fault) {
      void subscription.dispose();
      throw fault;
    }
  }

  function tick(): void {
    for (const [topic, { feed, stop }] of feeds) {
      if (feed.isWatched) continue;
      feeds.delete(topic);
      stop();
    }
    if (feeds.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    ticks++;
    if (isBehind || signals.state() === 'lost' || ticks % calmTicks === 0) void poll();
  }

  async function poll(): Promise<void> {
    try {
      const open = [...feeds.values()].map(({ feed }) => feed);
      if (open.length === 0) return;
      isBehind = false;
      const heads = await log.heads(open.map(({ place }) => place));
      for (const { orgId, workspace, cursor } of heads) {
        const feed = feeds.get(topicOf({ orgId, workspace }))?.feed;
        if (feed && cursor > feed.position) void refresh(feed);
      }
    } catch (fault) {
      isBehind = true;
      onFault(fault);
    }
  }

  const recovery = signals.onRecovered(() => void poll());
  return {
    async open(place) {
      const topic = topicOf(place);
      for (let known = feeds.get(topic)?.feed; known; known = feeds.get(topic)?.feed) {
        await known.refresh();
        // A feed without watchers may have been dropped in the meantime.
        if (feeds.get(topic)?.feed === known) return known;
      }
      const made = opening.get(topic) ?? make(place, topic).finally(() => opening.delete(topic));
      opening.set(topic, made);
      return made;
    },
    announce: (place, message) => signals.publish(topicOf(place), message),
    poll,
    dispose() {
      clearInterval(timer);
      void recovery.dispose();
      for (const { stop } of feeds.values()) stop();
      feeds.clear();
    },
  };
}

function isMessage(payload: unknown): payload is BusMessage {
  return isRecord(payload) && Number.isSafeInteger(payload['cursor']) && typeof payload['at'] === 'number' && typeof payload['frame'] === 'string';
}

/** Encodes the workspace, which may contain characters that a topic cannot. */
function topicOf({ orgId, workspace }: BusPlace): string {
  return `bus.${orgId}.${sha256(workspace).slice(0, 32)}`;
}
