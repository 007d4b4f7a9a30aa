// Creates the agents for all outgoing requests: direct, or through the configured proxy.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { proxyFor, type UsedProxy } from './proxies.ts';

export interface OutgoingAgents {
  /** Returns the agent for a URL. Rejects if the proxy setting for its address is invalid. */
  agentFor(url: URL): Promise<HttpAgent>;
  /** Ends all connections. */
  destroy(): void;
}

export interface OutgoingOptions {
  /** Options of every connection, direct or through a proxy. */
  readonly agent?: AgentOptions;
  /** Resolves names for direct connections. */
  readonly lookup?: LookupFunction;
  /** Runs before the proxy receives a request for a host; rejects if the host is forbidden. */
  readonly admit?: (hostname: string) => Promise<void>;
}

/** Creates the agents. The caller must destroy them. */
export function createOutgoingAgents({ agent: options = {}, lookup, admit }: OutgoingOptions = {}): OutgoingAgents {
  const agents = new Map<string, HttpAgent>();
  const ofDirect = lookup ? { ...options, lookup } : options;

  async function create(protocol: string, proxy: UsedProxy | undefined): Promise<HttpAgent> {
    if (!proxy) return protocol === 'https:' ? new HttpsAgent(ofDirect) : new HttpAgent(ofDirect);
    return (await import('./proxy-agents.ts')).createProxyAgent(protocol, proxy, options, admit);
  }

  return {
    async agentFor(url) {
      const proxy = proxyFor(url);
      const key = `${url.protocol} ${proxy?.url.href ?? ''}`;
      const agent = agents.get(key) ?? (await create(url.protocol, proxy));
      // A concurrent request may have created an agent.
      const used = agents.get(key) ?? agent;
      agents.set(key, used);
      return used;
    },
    destroy() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
