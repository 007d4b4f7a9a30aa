// A web UI panel that follows a chat live: its pending decision, its token count and its latest tool calls.

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('ui.panel', {
    id: 'live',
    title: 'Live',
    slot: 'panel',
    icon: '◉',
    module: new URL('./live-panel/panel.js', import.meta.url).href,
    uses: { routes: ['GET /api/status', 'GET /api/usage'], events: ['turn_start', 'tool_start', 'tool_result', 'usage', 'turn_end', 'chat_switched'] },
  });
}
