// Generated from the served OpenAPI document by `npm run docs:gen`; do not edit.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page for browsers; it carries the token for visitors who may have it. */
        get: operations["get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What browsers look for beside the page: its manifest, icons, service worker and offline page. */
        get: operations["getName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers a question of the model, in free text or with one of its options. */
        post: operations["postApiAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approval-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Decisions that a person made once and for all in a chat, its workspace and all folders, with what they have answered. */
        get: operations["getApiApprovalRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approval-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes such a decision back: the next call asks again. */
        delete: operations["deleteApiApprovalRulesId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decides a tool call that waits for approval. */
        post: operations["postApiApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/artifacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of an artifact of a chat. */
        get: operations["getApiArtifactsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attachments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a file that came with a message, or of a picture that a tool showed. */
        get: operations["getApiAttachmentsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/engines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which engines turn speech into text and text into speech, which of them are in use, and where the sound goes. */
        get: operations["getApiAudioEngines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audio/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keeps a recording of a chat; the reply means that it is on disk. */
        post: operations["postApiAudioUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the bundles in the folder of plugins, and whether each one is trusted as it is now. */
        get: operations["getApiBundles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was changed in files, notes, settings and state of plugins, net: in a chat or in one of its turns; of one file with the diff. */
        get: operations["getApiChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the chats: pinned ones first, then the newest. */
        get: operations["getApiChats"];
        put?: never;
        /** Makes a chat. */
        post: operations["postApiChats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers one chat. */
        get: operations["getApiChatsId"];
        put?: never;
        post?: never;
        /** Deletes a chat; it is kept for 30 days in the trash. */
        delete: operations["deleteApiChatsId"];
        options?: never;
        head?: never;
        /** Changes what a person says of a chat: title, model, reasoning effort, mode, tags, whether it is pinned or archived. */
        patch: operations["patchApiChatsId"];
        trace?: never;
    };
    "/api/chats/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a chat the active one. */
        post: operations["postApiChatsIdActivate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/browser": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The pages that are open in the browser of a chat; none unless a turn runs. */
        get: operations["getApiChatsIdBrowser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/browser/{tabId}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A small picture of an open page, at most two a second however many ask. */
        get: operations["getApiChatsIdBrowserTabIdPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers a chat as a file: Markdown, JSON that can be imported, or one HTML page without scripts. */
        get: operations["getApiChatsIdExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Tells the agent of further folders that an editor has open, in place of those told before; until the server ends. */
        put: operations["putApiChatsIdFolders"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies a chat up to and including a turn, or up to another way to go on. */
        post: operations["postApiChatsIdFork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Brings MCP servers to a chat, in place of those brought before: for that chat, and until the server ends. */
        put: operations["putApiChatsIdMcp"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/taken-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a person took out of a chat: the journal keeps it, and no model reads it. */
        get: operations["getApiChatsIdTakenOut"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers the newest page of a chat, or the one before a cursor. */
        get: operations["getApiChatsIdTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a chat of a file that was exported as JSON. Nothing of it is run; its text counts as external content. */
        post: operations["postApiChatsImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds a text in what was said in any chat. */
        get: operations["getApiChatsSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the deleted chats, the one deleted last first. */
        get: operations["getApiChatsTrash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/trash/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a chat of the trash for good. */
        delete: operations["deleteApiChatsTrashId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chats/trash/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a deleted chat out of the trash. */
        post: operations["postApiChatsTrashIdRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the slash commands that the caller may run in a chat. */
        get: operations["getApiCommands"];
        put?: never;
        /** Runs a slash command and answers what it says. */
        post: operations["postApiCommands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a client needs to know before anything else. */
        get: operations["getApiConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How full the context of a chat is, by what, and what shortening it would bring. */
        get: operations["getApiContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/desktop/window": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens the window of the desktop app, or brings the one that is open to the front; for the person at this machine only. */
        post: operations["postApiDesktopWindow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dreams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what dreams did, newest first: what changed, from which words, and what was refused; and why there is none now. */
        get: operations["getApiDreams"];
        put?: never;
        /** Starts a dream now and answers what it came to, or why there is none. Waits for no hours or chats, but costs a model call. */
        post: operations["postApiDreams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dreams/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back all that a run did to notes; what was changed since stays, and the reply names it. */
        post: operations["postApiDreamsUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the folders in a folder of this machine. */
        get: operations["getApiFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a text would likely cost as a message of a chat, by the turns of the past; `null` while there are fewer than five. */
        post: operations["postApiForecast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the heartbeat does now, its last run, what it cost today, and the newest nudge of a chat. */
        get: operations["getApiHeartbeat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat/less": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Fewer nudges in a chat: raises by a step how sure one must be there, or takes all steps back. */
        put: operations["putApiHeartbeatLess"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat/mute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Mutes the heartbeat for the rest of the day, or takes that back. */
        put: operations["putApiHeartbeatMute"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat/nudges/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Says that a nudge was used or dismissed; null takes that back. */
        put: operations["putApiHeartbeatNudgesRunId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/heartbeat/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest runs of the heartbeat, newest first, and what each day came to. */
        get: operations["getApiHeartbeatRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account, its tier and what it unlocks. */
        get: operations["getApiHubAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/auth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finishes a sign-in by redirect and shows a page. */
        get: operations["getApiHubAuthCallback"];
        put?: never;
        /** Finishes a sign-in. */
        post: operations["postApiHubAuthCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/connect/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begins a sign-in: the address to open, and its one-time state. */
        get: operations["getApiHubConnectBegin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/connect/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of a sign-in that was begun. */
        get: operations["getApiHubConnectOutcome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of the sign-in by a code. */
        get: operations["getApiHubDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/device/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins a sign-in that is confirmed on another machine: an address, and a code to type there. */
        post: operations["postApiHubDeviceBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/device/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives up the sign-in by a code. */
        post: operations["postApiHubDeviceCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/inference-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credits of managed inference. */
        get: operations["getApiHubInferenceStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out: deletes license and account from this machine, and has the control plane take the license back. */
        post: operations["postApiHubLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hub/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts the license and the inference settings into force again; refused while a turn runs. */
        post: operations["postApiHubReconnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what another agent keeps on this machine: sessions, MCP servers, rules. */
        get: operations["getApiImportAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{agent}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes the rules of another agent over: general ones as notes, those of a folder as its AGENTS.md. */
        post: operations["postApiImportAgentRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{agent}/servers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connects an MCP server of another agent, as if a person had configured it; its secrets are sealed. */
        post: operations["postApiImportAgentServersName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/{agent}/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a session of another agent over as a chat; one that came in before is left as it is. */
        post: operations["postApiImportAgentSessionsId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All accounts at providers, and the MCP servers and OpenAPI documents that are connected. */
        get: operations["getApiIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Disconnects one account or all of a provider; with `revoke=1` its tokens are taken back there, too. */
        delete: operations["deleteApiIntegrationsProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/{provider}/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begins to connect an account, as in `/api/integrations/accounting/begin`: the address to open, and its one-time state. */
        get: operations["getApiIntegrationsProviderBegin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connects an MCP server, by its command or its url; one of that name is replaced. */
        post: operations["postApiIntegrationsMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/mcp/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends an MCP server and forgets it, with its secrets. */
        delete: operations["deleteApiIntegrationsMcpName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/mcp/{name}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finishes the sign-in at an MCP server by redirect and shows a page. */
        get: operations["getApiIntegrationsMcpNameCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/oauth/handoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes the tokens of an account from the hosted site; the state stands for the person who began. */
        post: operations["postApiIntegrationsOauthHandoff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes tools of the operations of an OpenAPI document; a connection of that name is replaced. */
        post: operations["postApiIntegrationsOpenapi"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/openapi/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a connection and its tools away, with what was kept of them. */
        delete: operations["deleteApiIntegrationsOpenapiName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists notes of a chat, of its workspace and global ones; those in force, those that wait for a person, or those that were deleted. */
        get: operations["getApiMemory"];
        /** Changes the text of a note that is still in the revision it was read in. */
        put: operations["putApiMemory"];
        /** Keeps a note; one with the same type and key is replaced. */
        post: operations["postApiMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decides about a note that waits: it counts from now on, with another text where one is given, or is deleted; `never`: nothing about it is noted by itself again. */
        post: operations["postApiMemoryAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/forget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes a note; it can be restored for 30 days. */
        post: operations["postApiMemoryForget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/forget-chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forgets what came from a chat so far: notes that were derived from it, those that wait, and what reports quote; nothing of it is derived again. */
        post: operations["postApiMemoryForgetChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pins a note, so that nothing that works by itself changes or deletes it, or takes that back. */
        post: operations["postApiMemoryPin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes the deletion of a note back. */
        post: operations["postApiMemoryRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/unwanted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what a person never wants noted. */
        get: operations["getApiMemoryUnwanted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/memory/unwanted/allow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back that nothing about something is noted. */
        post: operations["postApiMemoryUnwantedAllow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a message to the agent; the reply means that it is on disk. */
        post: operations["postApiMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message/take-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back one message that waits behind the running turn. */
        post: operations["postApiMessageTakeBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models that the configured endpoint offers, at most 10 minutes old. */
        get: operations["getApiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["getApiOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes a code and answers a token for this device. */
        post: operations["postApiPair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pair/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a code that pairs one device within 5 minutes, as `chat` where no role is named; an earlier code counts no longer. */
        post: operations["postApiPairBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pair/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the paired devices. */
        get: operations["getApiPairDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pair/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes the access of a paired device back; open streams are closed. */
        delete: operations["deleteApiPairDevicesId"];
        options?: never;
        head?: never;
        /** Changes what a paired device may, from now on; open streams are closed, and come back with the new rights. */
        patch: operations["patchApiPairDevicesId"];
        trace?: never;
    };
    "/api/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tool calls that wait for approval and questions that wait for an answer. */
        get: operations["getApiPending"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The character that is in force, what waits for a person, and whether one is being made. */
        get: operations["getApiPersona"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a character out of one sentence, or skips that; what becomes of it comes as events. */
        post: operations["postApiPersonaBootstrap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Switches the character off, or on again, in one chat. */
        put: operations["putApiPersonaChat"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The characters that were in force, the newest first. */
        get: operations["getApiPersonaHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts all of the character back as it was in a version, as a new revision. */
        post: operations["postApiPersonaRevert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/slices/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the text of a part that is still in the revision it was read in. */
        put: operations["putApiPersonaSlicesName"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/slices/{name}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The texts that a part had, the newest first. */
        get: operations["getApiPersonaSlicesNameHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/slices/{name}/outside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decides about a text that stands in the file of a part and was not written by this service: it counts from now on, or is replaced. */
        post: operations["postApiPersonaSlicesNameOutside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/slices/{name}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a part the text of one of its versions, as a new revision. */
        post: operations["postApiPersonaSlicesNameRevert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/theme": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The look that comes with the character: what was chosen, and every colour that it makes of the page, by day and by night. */
        get: operations["getApiPersonaTheme"];
        /** Chooses the theme that comes with the character; null takes it away. */
        put: operations["putApiPersonaTheme"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/persona/theme/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a look would make of the page, with the contrast that it has; nothing is changed. */
        post: operations["postApiPersonaThemePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The steps of a chat's plan; empty where there is none. */
        get: operations["getApiPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every plugin with its state, why it is in that state, and what it adds; and the newest faults of anything. */
        get: operations["getApiPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Switches a plugin off or on, now and for later starts. */
        put: operations["putApiPluginsName"];
        post?: never;
        /** Removes an installed plugin with its settings, and with its data where that is said; of any other that is not at work, its data. */
        delete: operations["deleteApiPluginsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/{name}/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets where a third-party plugin runs, approves the capabilities that it requests, and loads it again. */
        put: operations["putApiPluginsNameTrust"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compares the plugins from outside with what was agreed to, and tells what their code takes. */
        get: operations["getApiPluginsAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/installed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plugins that were installed, as the lock has them. */
        get: operations["getApiPluginsInstalled"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetches a plugin and returns what it is and what it requests. Nothing is installed. */
        post: operations["postApiPluginsOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Installs exactly what was looked at, and loads it once no turn runs. */
        post: operations["postApiPluginsOffersId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads the folder of the person's own plugins again, without a restart. */
        post: operations["postApiPluginsReload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the prompt templates that count in a chat: those of the person, and those of a workspace that is trusted. */
        get: operations["getApiPrompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Writes a prompt template of the person: a new one, another text, or another name. */
        put: operations["putApiPromptsName"];
        post?: never;
        /** Removes a prompt template of the person. */
        delete: operations["deleteApiPromptsName"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What answers now, and the providers that are known by name. */
        get: operations["getApiProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries a key of the model provider and uses it until the server ends. */
        post: operations["postApiProviderKey"];
        /** Forgets a key that was typed. */
        delete: operations["deleteApiProviderKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Looks for model servers on this machine, at the ports of the settings. */
        get: operations["getApiProviderLocal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/provider/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends one small request to the model, and reports whether it answers, streams and calls tools. The request costs tokens. */
        post: operations["postApiProviderTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers the public key for push messages, and which browsers get them; a paired device sees its own. */
        get: operations["getApiPush"];
        put?: never;
        /** From now on this browser is told of decisions that wait, and of turns that end, while its page is closed. */
        post: operations["postApiPush"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** A browser is told no longer. A paired device ends its own. */
        delete: operations["deleteApiPushId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/redo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back the last undo that stands. */
        post: operations["postApiRedo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Codes that let guests see this window, and the guests that are there. */
        get: operations["getApiRemote"];
        put?: never;
        /** Makes a code that lets guests see this window, or steer it. */
        post: operations["postApiRemote"];
        /** Ends all remote sessions. */
        delete: operations["deleteApiRemote"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a code back; who came with it is out at once. */
        delete: operations["deleteApiRemoteCode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/guests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a guest control, or answer approvals and questions, or no longer. */
        post: operations["postApiRemoteGuestsId"];
        /** Sends a guest away. */
        delete: operations["deleteApiRemoteGuestsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/abort": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the running turn and takes back what waits behind it; answers when everything it ran is dead. */
        post: operations["postApiSessionAbort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forgets the conversation (soft), and what plugins have made of the agent (hard). */
        post: operations["postApiSessionReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/retries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The turns that wait before they ask the model provider again, why, and until when. */
        get: operations["getApiSessionRetries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the model provider again at once, where a turn waits before it does. */
        post: operations["postApiSessionRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tabs, fields with their values, and the provider; never a key. */
        get: operations["getApiSettings"];
        /** Changes preferences, all or nothing; null removes one. */
        put: operations["putApiSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The skills of a workspace, as far as a person trusts them. */
        get: operations["getApiSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Busy or idle, and what each busy chat waits for. */
        get: operations["getApiStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the events of a chat as they happen (server-sent events). */
        get: operations["getApiStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a file by which somebody else can reproduce a turn, with the parts that were ticked; nothing is sent anywhere. */
        post: operations["postApiSupport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a note was on the control plane in the last 30 days, and who wrote it. */
        get: operations["getApiSyncHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What would leave this machine, and what would stay. */
        get: operations["getApiSyncPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings a chat's sets to the same state as the control plane now; from then on they are kept alike. */
        post: operations["postApiSyncRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Chooses between what stands and a text that was kept of a change at the same time. */
        post: operations["postApiSyncSettle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which notes are kept alike with the control plane, what is to be sent, and what was kept of conflicts. */
        get: operations["getApiSyncState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sync/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Nothing of these sets leaves by itself any more; what is on the control plane stays there. */
        post: operations["postApiSyncStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/bus/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The messages of a workspace after a cursor, at most 100, oldest first. They are what others say. */
        get: operations["getApiTeamBusMessages"];
        put?: never;
        /** Publishes a message to the team, as the person who is signed in. */
        post: operations["postApiTeamBusMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/bus/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workspaces in which the agents of the team told each other something. */
        get: operations["getApiTeamBusWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The notes of the team for a workspace, the newest first, and who wrote each. */
        get: operations["getApiTeamNotes"];
        put?: never;
        post?: never;
        /** Deletes a note of the team on the control plane, and with the next sync everywhere. */
        delete: operations["deleteApiTeamNotes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/notes/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workspaces that the team keeps notes of on the control plane. */
        get: operations["getApiTeamNotesSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The policy of the organisation as it holds on this machine. */
        get: operations["getApiTeamPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replaces the web token; open streams are closed and the old token is refused from then on. */
        post: operations["postApiTokenRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every tool, with its effects and whether the model sees it in a chat. */
        get: operations["getApiTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transcribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The text of a recording that was uploaded. Where that fails, the recording is still there. */
        post: operations["postApiTranscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speaks a text: clips in the order in which they are heard, and what they cost. */
        post: operations["postApiTts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tts/clip/{clipId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sound of a clip. While it is still made it comes as it is made, without a length; then parts of it can be had (Range). */
        get: operations["getApiTtsClipClipId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tts/heard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells how far a spoken reply was heard. An interruption ends its epoch, and the model is told. */
        post: operations["postApiTtsHeard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tts/speaker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Says who plays the spoken replies of a chat: the newest claim wins. It ends after 60 s, or when nobody has read the events of the chat for 30 s. */
        put: operations["putApiTtsSpeaker"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ui/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The languages that plugins bring words of the page for, and those words of one of them. */
        get: operations["getApiUiMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ui/modules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script of a panel, at the address that the list of panels gives it. */
        get: operations["getApiUiModulesName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ui/panels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The panels that plugins add to the page, and where each one stands. */
        get: operations["getApiUiPanels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back what a turn changed in files, notes, settings and state of plugins; or in some of it only, or some hunks of one file. */
        post: operations["postApiUndo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens and cost of model calls, by chat, turn, purpose, plugin and day. */
        get: operations["getApiUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The views of plugins that the caller may read. */
        get: operations["getApiViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/views/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a view says now, read with the parameters in the query. The view itself names what whoever reads it must be allowed to. */
        get: operations["getApiViewsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/views/{name}/actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Has an action done that the view offers now. The view itself names what whoever does it must be allowed to. */
        post: operations["postApiViewsNameActionsId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why a turn, a call, a message, a sentence or a note is as it is: which message, file, page, note, hook and plugin made it so, and what came from it. */
        get: operations["getApiWhy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers the workspace of a chat. */
        get: operations["getApiWorkspaceCurrent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a file of the workspace of a chat, at most 10 MB. */
        get: operations["getApiWorkspaceFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/folder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is in a folder of the workspace of a chat. */
        get: operations["getApiWorkspaceFolder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds files and folders of the workspace of a chat by the letters of their paths. */
        get: operations["getApiWorkspacePaths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an address under which a page of the workspace can be looked at in a sealed frame. */
        post: operations["postApiWorkspacePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/preview/{ticket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of a workspace, sealed: it has no origin, reaches no network, and stands in a frame of this server only. */
        get: operations["getApiWorkspacePreviewTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the workspace of a chat brings with it that acts only once it is trusted: instructions, programs to start. */
        get: operations["getApiWorkspaceTrust"];
        put?: never;
        /** Trusts exactly what was shown (its digest), or takes the trust back. */
        post: operations["postApiWorkspaceTrust"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A script, style sheet or font of the page. */
        get: operations["getAssetsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remote/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script or the style sheet of the page of guests. */
        get: operations["getRemoteAssetsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/remote/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page of guests: asks for the code of a remote session, then shows the window of this machine. */
        get: operations["getRemoteJoin"];
        put?: never;
        /** Takes a code and answers the token of this guest. */
        post: operations["postRemoteJoin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                code: string;
                message: string;
                details?: Record<string, never>;
                requestId: string;
            };
        };
        Transcription: {
            inUse: string | null;
            /** @description In the order in which they are tried. */
            engines: components["schemas"]["Engines"][];
        };
        Engines: {
            name: string;
            title: string;
            plugin: string;
            /** @description Where the sound or the text goes: it stays here, or a provider gets it. */
            place: "here" | "provider";
            /** @description The host that gets it. */
            goesTo?: string;
            isUsable: boolean;
            /** @description Why not: no_key, not_installed, not_offered, switched_off. */
            code?: string;
            /** @description For people, with what to do. */
            reason?: string;
        };
        Outside: {
            callId: string;
            tool: string;
            /** @description In a line: the command, the address; empty where nobody says. */
            what: string;
            /** @description As the tool declares them; empty where they are not known. */
            effects: string[];
        };
        Chats: {
            chatId: string;
            title: string;
            workspaceMode: "scratch" | "folder" | "reuse";
            workspaceRoot?: string;
            workspaceFingerprint?: string;
            createdAt: string;
            updatedAt: string;
            busy: boolean;
            turns: number;
            mode: components["schemas"]["Mode"];
            pinned: boolean;
            archived: boolean;
            tags: string[];
            /** @description Answers in this chat; the one of the settings when left out. */
            model?: string;
            effort?: components["schemas"]["Effort"];
            branch?: components["schemas"]["Branch"];
            /** @description The program in which it was held before, and what it is called there. */
            imported?: {
                from: string;
                id: string;
            };
            /**
             * @description It is not kept: it is erased when it is deleted, a day after it was used last, and with the next start of the server.
             * @constant
             */
            temporary?: true;
        };
        /** @description `ask`: what cannot be taken back asks. `careful`: each edit of a file asks, too. `plan`: only what reads runs. `auto`: the judge decides, what it does not call harmless asks. */
        Mode: "ask" | "careful" | "plan" | "auto";
        /** @description How much the model reasons in this chat; the setting applies when left out. */
        Effort: "off" | "low" | "medium" | "high" | "max";
        /** @description The chat that it is another way of, and the turn there that it has its own for. */
        Branch: {
            chatId: string;
            turnId: string;
            /** @description The last turn that both have. */
            after?: string;
        };
        /** @description On top of PATH, HOME and LANG. Kept sealed. */
        Env: {
            [key: string]: string;
        };
        Attachments: {
            name: string;
            mimeType: string;
            bytes?: number;
            attachmentId?: string;
            artifactId?: string;
            characters?: number;
            note?: string;
        };
        /** @description The plugin that speaks by itself, and why. */
        Origin: {
            plugin: string;
            /** @description Why, in a sentence for people. */
            reason: string;
        };
        Preview: components["schemas"]["Preview2"] | {
            /** @constant */
            kind: "diff";
            path: string;
            diff: string;
        };
        Preview2: {
            /** @constant */
            kind: "command";
            command: string;
            cwd: string;
            /** @description It runs with network. */
            network?: boolean;
        };
        /** @description What the call changed in a copy of the workspace. */
        Rehearsal: {
            state: "running" | "ready" | "none";
            /** @description Of one that is ready: names exactly what is shown here. An approval that gives it applies that and runs nothing. */
            id?: string;
            /** @description Of `none`: why it cannot be shown before, as a sentence. */
            why?: string;
            /** @description How it ended there, as the model will be told. */
            ok?: boolean;
            /** @description What it said there; of a long one the beginning and the end. */
            output?: string;
            changes?: components["schemas"]["Changes"][];
            /** @description How many changes are not listed. */
            more?: number;
            /** @description Unified, of the texts among them; a line at its end says what was left out. */
            diff?: string;
        };
        Changes: {
            /** @description Relative to the workspace. */
            path: string;
            kind: components["schemas"]["Kind"];
            /** @description Where it was before it was moved. */
            from?: string;
            /** @description What it is where it is no plain file, or what its mode becomes: `folder`, `link to ../x`, `755`. */
            what?: string;
            /** @description Why it decides about more than its content, as a sentence. */
            why?: string;
            /** @description Lines; left out where they cannot be counted. */
            added?: number;
            removed?: number;
        };
        Kind: "added" | "edited" | "deleted" | "moved" | "mode" | "touched";
        PersonaUiTheme: components["schemas"]["PersonaUiTheme2"] | null;
        PersonaUiTheme2: {
            theme: components["schemas"]["Theme"];
            palette: components["schemas"]["Palette"];
            /** @description The palette as values of the custom properties of the page, by their names without the dashes. */
            tokens: {
                [key: string]: string;
            };
        };
        Theme: {
            /**
             * @description How strongly the colours show, and how deep the night is.
             * @enum {unknown}
             */
            mood: "calm" | "warm" | "fresh" | "playful" | "serious" | "bold" | "dreamy";
            /**
             * @description How round corners are.
             * @enum {unknown}
             */
            shape: "sharp" | "soft" | "round";
            /**
             * @description How much room stands between things.
             * @enum {unknown}
             */
            density: "compact" | "normal" | "airy";
            /**
             * @description The letters.
             * @enum {unknown}
             */
            font: "sans" | "humanist" | "rounded" | "serif" | "mono";
            /** @description Links, buttons and what is chosen: six digits in lower case, as in #2f57c9. */
            accent: string;
            /** @description The hue of what everything stands on; how much of it shows, the mood says. */
            ground: string;
        };
        Palette: {
            /** @description The colours of the page by day, by the names of its tokens, as #rrggbb; text has a contrast of 4.5 : 1 on each ground. */
            light: {
                [key: string]: string;
            };
            dark: components["schemas"]["Dark"];
            /** @description Corners, room and letters, by the names of its tokens. */
            measures: {
                [key: string]: string;
            };
        };
        /** @description The colours of the page by night, by the names of its tokens, as #rrggbb; text has a contrast of 4.5 : 1 on each ground. */
        Dark: {
            [key: string]: string;
        };
        Runs: {
            runId: string;
            state: components["schemas"]["State"];
            asked: "idle" | "person";
            startedAt: string;
            endedAt?: string;
            failure?: {
                reason: string;
                why: string;
            };
            sessions: {
                chatId: string;
                title: string;
                characters: number;
            }[];
            model?: string;
            tokens?: {
                input: number;
                output: number;
            };
            summary: string;
            counts: {
                kept: number;
                waiting: number;
                deleted: number;
                refused: number;
            };
            changes: components["schemas"]["Changes2"][];
            refused: components["schemas"]["Refused"][];
            /** @description Quotes that stand nowhere. */
            forged: number;
            /** @description Rows that are gone with a chat that was forgotten. */
            forgotten?: number;
            undo?: components["schemas"]["Undo"];
        };
        State: "started" | "applying" | "done" | "failed" | "undoing" | "undone";
        Changes2: {
            kind: "kept" | "changed" | "waits" | "deleted";
            id: string;
            scope: "chat" | "workspace" | "global";
            why: string;
            before?: string;
            after?: string;
            /** @description Somebody changed the note meanwhile. */
            isLeftAlone?: boolean;
            /** @description The words that it rests on, and where they stand. */
            evidence: components["schemas"]["Evidence"][];
        };
        Evidence: {
            chatId: string;
            entryId: string;
            quote: string;
            class: string;
            at: string;
        };
        Refused: {
            id: string;
            value: string;
            reason: string;
            why: string;
            /** @description The words that it rests on, and where they stand. */
            evidence: components["schemas"]["Evidence"][];
        };
        Undo: {
            at: string;
            undone: number;
            left: components["schemas"]["Left"][];
        };
        Left: {
            id: string;
            scope: "chat" | "workspace" | "global";
            why: string;
        };
        Last: {
            runId: string;
            chatId: string;
            messageId: string;
            /** @description How the message begins that it thought about. */
            about: string;
            at: string;
            outcome: "completed" | "failed" | "skipped" | "interrupted";
            reason?: string;
            summary?: string;
            ms?: number;
            input?: number;
            output?: number;
            cost?: number;
            reflections?: string[];
            memory?: components["schemas"]["Memory"];
            nudge?: components["schemas"]["Nudge"];
        };
        /** @description What became of what it would remember. */
        Memory: {
            kept: number;
            inbox: number;
            refused: number;
        };
        Nudge: {
            text: string;
            confidence: number;
            isShown: boolean;
            /** @description Of one that is not shown. */
            why?: string;
            answer?: "used" | "dismissed";
        };
        ApiHubAuthCallback: {
            token: string;
            state: string;
        };
        ApiHubDevice: {
            /** @enum {string} */
            state: "none" | "waiting" | "signed_in" | "refused" | "expired" | "failed";
            /** @description To be typed at verificationUrl. */
            userCode?: string;
            verificationUrl?: string;
            expiresAt?: string;
            /** @description What went wrong, or keeps it from being finished now. */
            message?: string;
        };
        Auth: components["schemas"]["Auth2"] | components["schemas"]["Auth3"] | components["schemas"]["Auth4"] | components["schemas"]["Auth5"] | components["schemas"]["Auth6"] | components["schemas"]["Auth7"];
        Auth2: {
            /** @description The security scheme of the document that it is for. */
            scheme?: string;
            /** @constant */
            kind: "header";
            name: string;
            value: string;
        };
        Auth3: {
            /** @description The security scheme of the document that it is for. */
            scheme?: string;
            /** @constant */
            kind: "query";
            name: string;
            value: string;
        };
        Auth4: {
            /** @description The security scheme of the document that it is for. */
            scheme?: string;
            /** @constant */
            kind: "cookie";
            name: string;
            value: string;
        };
        Auth5: {
            /** @description The security scheme of the document that it is for. */
            scheme?: string;
            /** @constant */
            kind: "bearer";
            token: string;
        };
        Auth6: {
            /** @description The security scheme of the document that it is for. */
            scheme?: string;
            /** @constant */
            kind: "basic";
            user: string;
            password: string;
        };
        Auth7: {
            /** @description The security scheme of the document that it is for. */
            scheme?: string;
            /** @constant */
            kind: "oauth";
            provider: string;
            accountId?: string;
        };
        Notes: {
            id: string;
            type: string;
            key: string;
            scope: "chat" | "workspace" | "global";
            value: string;
            createdAt: string;
            updatedAt: string;
            accessCount: number;
            confidence: number;
            links: string[];
            source: components["schemas"]["Source"];
            revision: number;
            deletedAt?: string;
            /** @description Waits until a person accepts it. */
            isPending?: boolean;
            /** @description The note whose value it would take the place of. */
            replaces?: string;
            /** @description The words that it was derived from. */
            evidence?: components["schemas"]["Evidence2"][];
            /** @description Why it waits, as a sentence. */
            waits?: string;
            /** @description Nothing that works by itself changes or deletes it. */
            isPinned?: boolean;
            /** @description Came with the workspace; nobody here wrote or accepted it. */
            isForeign?: boolean;
        };
        Source: {
            kind: "user" | "tool" | "web" | "model" | "team";
            ref: string;
        };
        Evidence2: {
            chatId: string;
            turnId?: string;
            /** @description Of the message or the call. */
            entryId: string;
            quote: string;
            class: "user" | "workspace" | "tool" | "model" | "web";
            at: string;
        };
        ApiMemory: {
            note: components["schemas"]["Notes"];
        };
        ApiMemoryForget: {
            /** @description The active chat when left out. */
            chatId?: string;
            /** @description `type:key`. */
            id: string;
            scope: "chat" | "workspace" | "global";
        };
        Models: {
            id: string;
            name?: string;
            /** @description Tokens. */
            contextLength?: number;
            /** @description USD for a million tokens. */
            price?: {
                input: number;
                output: number;
            };
            /** @description It hears sound in messages. */
            takesAudio?: boolean;
        };
        Device: {
            id: string;
            name: string;
            /**
             * @description `view` reads chats; `chat` also sends messages and stops turns, and decides nothing; `full` does what the owner may.
             * @enum {string}
             */
            role: "view" | "chat" | "full";
            createdAt: string;
            lastSeenAt?: string;
        };
        ApiPersona: {
            revision: number;
            label: string;
            profile?: components["schemas"]["Profile"];
            slices: components["schemas"]["Slices"][];
            /** @description What plugins made for it, by name: `ui_theme`. */
            artifacts: {
                [key: string]: unknown;
            };
            bootstrap: components["schemas"]["Bootstrap"];
            chat: {
                /** @description The persona is switched off in the chat that was asked for. */
                off: boolean;
            };
        };
        Profile: {
            label: string;
            name: string;
            summary: string;
            traits: string[];
            /** @enum {string} */
            verbosity: "brief" | "balanced" | "detailed";
            /** @enum {string} */
            humor: "none" | "light" | "playful";
            /** @enum {string} */
            formality: "casual" | "neutral" | "formal";
            /** @description A language tag; empty: that of the person. */
            language: string;
            /** @description How it calls the person; empty where nobody said. */
            address: string;
        };
        Slices: {
            /** @enum {string} */
            name: "rails" | "identity" | "voice" | "stance" | "living";
            text: string;
            /** @enum {string} */
            source: "model" | "scaffold" | "person" | "learned";
            /** @description In which this text was written: the `base` of an edit. */
            revision: number;
            tokens: number;
            maxTokens: number;
            /** @description Of what was learned: what it says, line by line. */
            lines?: {
                text: string;
                /** @description Where it was said; empty for a line that a person wrote. */
                source: string;
            }[];
            outside?: components["schemas"]["Outside2"];
        };
        /** @description The file says something else, which something other than this service wrote: it does not count until a person takes it. */
        Outside2: {
            text: string;
            hash: string;
        };
        Bootstrap: {
            /** @enum {string} */
            state: "pending" | "running" | "done" | "skipped";
            /** @description What was asked for last and is not made yet. */
            input?: string;
            /** @enum {string} */
            stage?: "profile" | "soul" | "artifacts" | "apply" | "done" | "failed";
            /** @description Why the last run came to nothing. */
            error?: string;
            /** @description Why parts of it were made without the model. */
            notice?: string;
        };
        /** @description The least contrast with any ground of the page, 1 to 21. */
        Light: {
            text: number;
            quietText: number;
            links: number;
            buttons: number;
            edges: number;
        };
        Plugins: {
            name: string;
            /** @enum {string} */
            origin: "platform" | "builtin" | "bundle" | "user";
            /** @enum {string} */
            state: "active" | "locked" | "unmet" | "failed" | "disabled";
            reason?: string;
            entitlement?: string;
            /**
             * @description It cannot be switched off.
             * @constant
             */
            isFixed?: true;
            /**
             * @description It runs in a child process; left out where it runs in the server's process.
             * @enum {string}
             */
            isolation?: "child";
            /**
             * @description The place that a person chose; it wins over the manifest.
             * @enum {string}
             */
            chosen?: "process" | "child";
            /** @description What an isolated plugin may reach beyond its own folder, one sentence each. */
            capabilities?: string[];
            /** @description Capabilities that are not approved yet; the plugin runs once they are. */
            asks?: string[];
            bootMs: number;
            adds: string[];
            /** @description It is switched so once no turn runs. */
            pending?: "on" | "off";
            /** @description Its taps of hooks that have begun and not ended, with the milliseconds since. */
            runningTaps?: components["schemas"]["RunningTaps"][];
            /** @description What does not keep it from running, but is not as it was meant. */
            warnings?: string[];
        };
        RunningTaps: {
            hook: string;
            ms: number;
            /** @description Nobody waits for it any more. */
            isLeft: boolean;
        };
        /** @description While a turn runs: `reject` (409) when left out; `queue` saves the change, answers 202, and puts it in force once no turn runs. */
        WhenBusy: "reject" | "queue";
        ApiPluginsName: {
            /** @constant */
            ok: true;
            plugin: components["schemas"]["Plugins"];
            /** @constant */
            pending?: true;
        };
        ApiPluginsReload: {
            /** @constant */
            ok: true;
            plugins: components["schemas"]["Plugins"][];
            /** @constant */
            pending?: true;
        };
        Subscriptions: {
            id: string;
            name: string;
            /** @description The host of its push service. */
            service: string;
            createdAt: string;
            /** @description Whoever asks made it. */
            isOwn: boolean;
        };
        ApiRedo: {
            ok: boolean;
            turnId: string;
            restored: string[];
            conflicts: string[];
            /** @description Notes, settings and other state that is as before, as people call it. */
            restoredState: string[];
            /** @description State that somebody changed since, so left alone. */
            stateConflicts: string[];
            /** @description Of what was restored: where later changes by others were kept. */
            merged: string[];
            /** @description What the turn did outside, which nothing here takes back. */
            notUndone: components["schemas"]["Outside"][];
        };
        Codes: {
            /** @description Revokes the code. It admits no guest. */
            id: string;
            /** @description For the device that made it; not for the window while a guest watches it. */
            code?: string;
            role: "view" | "control";
            transport: "lan" | "cloud";
            /** @description Where a guest opens it; the code is in them. Empty where the code is left out. */
            urls: string[];
            /** @description SVG of the first one. */
            qr?: string;
            expiresAt: string;
            /** @description Nobody else comes in with it: it was used, or too many wrong codes were tried. */
            isShut: boolean;
            guests: number;
        };
        ApiSettings: {
            /** @constant */
            ok: true;
            applied: string[];
            restartNeeded: string[];
            /** @description Saved, and in force once no turn runs. */
            pending?: string[];
        };
        Sets: {
            /** @enum {string} */
            target: "cloud" | "team";
            workspace: string;
            workspaceRoot?: string;
            /** @description Notes of it leave this machine for this account. */
            isAgreed: boolean;
            revision: number;
            /** @description Notes and deletions that are to be sent. */
            pending: number;
            lastSyncAt?: string;
            problem?: string;
            conflicts: components["schemas"]["Conflicts"][];
            refused: {
                id: string;
                why: string;
            }[];
            pulled?: number;
            pushed?: number;
        };
        Conflicts: {
            at: string;
            id: string;
            value: string;
            updatedAt: string;
            /**
             * @description Whose text does not count any more; restored: it was deleted elsewhere.
             * @enum {string}
             */
            side: "here" | "there" | "restored";
        };
        Totals: {
            calls: number;
            input: number;
            output: number;
            cached: number;
            /** @description USD, as far as the provider says. */
            cost: number;
        };
        ByChat: {
            [key: string]: components["schemas"]["Totals"];
        };
        /** @description What is asked for, as a JSON Schema of one level. */
        Views: {
            /** @constant */
            type: "object";
            /** @description Of what a view can be read with: the page folds the fields away under it. */
            title?: string;
            properties: {
                [key: string]: components["schemas"]["PatternProperties"];
            };
            required?: string[];
        };
        PatternProperties: {
            /** @enum {string} */
            type: "string" | "number" | "integer" | "boolean";
            title?: string;
            description?: string;
            default?: string | number | boolean;
            /** @description Of a string: the only values. */
            enum?: string[];
            /**
             * @description Of a string: it has several lines, or is the id of a chat.
             * @enum {string}
             */
            format?: "multiline" | "chat";
            minLength?: number;
            maxLength?: number;
            minimum?: number;
            maximum?: number;
        };
        ApiViewsName: {
            /** @description Of the contribution that it comes from; actions are sent there. */
            name?: string;
            title?: string;
            blocks: components["schemas"]["Blocks"][];
            actions?: components["schemas"]["RowActions"][];
            parameters?: components["schemas"]["ApiViewsName2"];
        };
        Blocks: components["schemas"]["Blocks2"] | components["schemas"]["Blocks3"] | components["schemas"]["Blocks4"] | components["schemas"]["Blocks5"] | components["schemas"]["Blocks7"] | components["schemas"]["Blocks8"] | components["schemas"]["Blocks9"] | components["schemas"]["Blocks10"];
        Blocks2: {
            /** @constant */
            kind: "text";
            title?: string;
            /** @description Markdown. */
            text: string;
            /** @description It is shown as it was written: no sign in it means anything. */
            isPlain?: boolean;
            /** @description Somebody still writes it: what is open at its end is closed soon. */
            isGrowing?: boolean;
        };
        Blocks3: {
            /** @constant */
            kind: "fields";
            title?: string;
            fields: components["schemas"]["Fields"][];
        };
        Fields: {
            label: string;
            value: components["schemas"]["Value"];
            /** @enum {string} */
            kind?: "text" | "number" | "money" | "share" | "time" | "state";
        };
        /** @description As its kind says: money in USD, a share from 0 to 1, a time in ISO 8601, a state by its name. `null`: there is none. */
        Value: string | number | null;
        Blocks4: {
            /** @constant */
            kind: "table";
            title?: string;
            columns: components["schemas"]["Columns"][];
            rows: components["schemas"]["Rows"][];
            rowActions?: components["schemas"]["RowActions"][];
        };
        Columns: {
            title: string;
            /** @enum {string} */
            kind?: "text" | "number" | "money" | "share" | "time" | "state";
        };
        Rows: {
            id?: string;
            actions?: string[];
            opens?: components["schemas"]["Opens"];
            cells: components["schemas"]["Value"][];
        };
        /** @description Where the row leads, in clients that have links: one of these. */
        Opens: {
            /** @description The id of a chat. */
            chat?: string;
            parameters?: components["schemas"]["Opens2"];
        };
        /** @description The same view with these, the others as they are. */
        Opens2: {
            [key: string]: string | number | boolean;
        };
        RowActions: {
            id: string;
            label: string;
            /** @enum {string} */
            kind?: "primary" | "danger";
            /** @description A question that a person answers before it is done. */
            confirm?: string;
            input?: components["schemas"]["Views"];
            /**
             * @description It shows something: what it answers stays, and nobody reads the view again after it.
             * @constant
             */
            changesNothing?: true;
        };
        Blocks5: {
            /** @constant */
            kind: "list";
            title?: string;
            items: components["schemas"]["Blocks6"][];
            /** @description One comes after the other. */
            isOrdered?: boolean;
            /** @description Little room for each: of a detail what fits beside it. */
            isCompact?: boolean;
            /** @description How many are left out before the first. */
            omitted?: number;
            rowActions?: components["schemas"]["RowActions"][];
        };
        Blocks6: {
            id?: string;
            actions?: string[];
            opens?: components["schemas"]["Opens"];
            text: string;
            detail?: string;
            /** @enum {string} */
            state?: "pending" | "active" | "done" | "failed" | "stopped";
            /** @description Of a tree: how deep it stands below what comes before it; 0 where left out. */
            level?: number;
        };
        Blocks7: {
            /** @constant */
            kind: "chart";
            title?: string;
            /** @enum {string} */
            form: "bars" | "line";
            labels: string[];
            /** @enum {string} */
            labelKind?: "text" | "time";
            /** @description Bars of several stand on each other. */
            series: components["schemas"]["Series"][];
            /** @description `USD` is written as money. */
            unit?: string;
        };
        Series: {
            title: string;
            /** @description One for each label. */
            values: number[];
        };
        Blocks8: {
            /** @constant */
            kind: "diff";
            title?: string;
            path?: string;
            /** @description Unified. */
            diff: string;
            /** @description Its parts, in their order, as rows in which something can be done; of what stands after the last nothing can. */
            hunks?: components["schemas"]["Hunks"][];
            rowActions?: components["schemas"]["RowActions"][];
        };
        Hunks: {
            id?: string;
            actions?: string[];
            opens?: components["schemas"]["Opens"];
        };
        Blocks9: {
            /** @constant */
            kind: "progress";
            title?: string;
            label: string;
            /** @description Left out: nobody knows. */
            value?: number;
            detail?: string;
        };
        Blocks10: {
            /** @constant */
            kind: "form";
            title?: string;
            /** @description The action of the view whose input is asked for here, and not behind a button. */
            action: string;
        };
        /** @description What it can be read with, and what it was read with, which goes along with actions. The server fills it in. */
        ApiViewsName2: {
            input: components["schemas"]["Views"];
            values: {
                [key: string]: string | number | boolean;
            };
        };
        /** @description What to ask about next. */
        Asks: {
            /** @description The active one when left out. */
            chatId?: string;
            /** @description A turn; the last one in which a model was asked where nothing is named. */
            turn?: string;
            /** @description A call of a tool. */
            call?: string;
            /** @description A message of a person, a plugin or the model. */
            message?: string;
            /** @description A part of the prompt of the turn, by its id. */
            section?: string;
            /** @description `type:key`. */
            note?: string;
            /** @description A file, a page, or whatever else an origin names: what came from it. */
            source?: string;
            /** @description A sentence or any other words; of the turn, message or call that is named with it. */
            text?: string;
            /**
             * @description The chat as a whole: what came from it.
             * @constant
             */
            of?: "chat";
        };
        ApiWorkspaceTrust: {
            workspaceRoot: string;
            subjects: components["schemas"]["Subjects"][];
        };
        Subjects: {
            name: string;
            title: string;
            detail: string;
            digest: string;
            isTrusted: boolean;
            /** @description Nothing to point out by itself. */
            isListedOnly?: boolean;
        };
    };
    responses: {
        /** @description The request is not valid. */
        Status400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is missing or wrong. */
        Status401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A budget is used up. */
        Status402: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The host, the origin, the permission or the plan does not allow it. */
        Status403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing. */
        Status404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request came too slowly. */
        Status408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It cannot be done now. */
        Status409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It came too late. */
        Status410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body, or a part of it, is too large. */
        Status413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body must be JSON. */
        Status415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such part of it. */
        Status416: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The setting is unknown or locked. */
        Status422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many attempts. */
        Status429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers are too large. */
        Status431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server has a fault; its log has the details. */
        Status500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Somebody whom the server asked did not answer well. */
        Status502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not ready, or switched off. */
        Status503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    askId: string;
                    answer: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiApprovalRules: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rules: {
                            id: string;
                            scope: "chat" | "workspace" | "everywhere";
                            decision: "approve" | "reject";
                            tool: string;
                            /** @description What it is about: the command, or every call of the tool. */
                            subject: string;
                            /** @description The whole rule: always … in this folder. */
                            words: string;
                            /** @description ISO 8601. */
                            since: string;
                            /** @description How many calls it has answered. */
                            answered: number;
                            /** @description When it answered last, ISO 8601. */
                            lastAt?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiApprovalRulesId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiApprove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    approvalId: string;
                    decision: "approve" | "reject" | "edit";
                    /** @description For edit: all arguments of the call, as they shall be. */
                    args?: {
                        [key: string]: unknown;
                    };
                    /** @description The model gets to read it. */
                    reason?: string;
                    /** @description For approve: the id of the rehearsal that was shown; exactly that is applied, and nothing runs. `none`: the call runs. Left out: the rehearsal that is ready by now; without one the call runs. */
                    rehearsal?: string;
                    /** @description Whether it holds from now on: in this chat, or in every chat of its workspace (only approvals of the owner). */
                    remember?: "once" | "chat" | "workspace";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiArtifactsId: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiAttachmentsId: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiAudioEngines: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transcription: components["schemas"]["Transcription"];
                        speech: components["schemas"]["Transcription"];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiAudioUpload: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The recording as a base64 data URL. */
                    dataUrl: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        attachmentId: string;
                        /** @description By its bytes. */
                        mimeType: string;
                        bytes: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiBundles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bundles: {
                            /** @description Of its folder in the folder of plugins. */
                            name: string;
                            state: "active" | "needs_trust" | "failed";
                            /** @description What is in it, or why it cannot be used. */
                            reason: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChanges: {
        parameters: {
            query?: {
                chatId?: string;
                turnId?: string;
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Changed last first, 200 at most. */
                        files: {
                            /** @description Relative to the workspace, absolute outside of it. */
                            path: string;
                            /** @description Where it was before it was moved. */
                            from?: string;
                            kind: "added" | "edited" | "deleted" | "moved";
                            /** @description Lines; `null` where they cannot be counted: binary, huge, or not kept. */
                            added: number | null;
                            /** @description Lines; `null` where they cannot be counted: binary, huge, or not kept. */
                            removed: number | null;
                            /** @description It was taken back. */
                            undone: boolean;
                            /** @description Somebody changed it since: an undo keeps that, and leaves it alone where both changed the same place. */
                            conflict: boolean;
                            /** @description Where somebody did: whether an undo can keep that and take back the rest. */
                            canMerge?: boolean;
                            binary: boolean;
                            /** @description The turn that changed it last. */
                            turnId: string;
                            at: string;
                        }[];
                        /** @description Changed last first, 200 at most; none where one file was asked for. */
                        state: {
                            /** @description Names it in `paths` of an undo. */
                            id: string;
                            /** @description note, setting, persona, … */
                            kind: string;
                            label: string;
                            change: "added" | "edited" | "deleted";
                            undone: boolean;
                            /** @description Somebody changed it since: an undo keeps that, and leaves it alone where both changed the same place. */
                            conflict: boolean;
                            /** @description Where somebody did: whether an undo can keep that and take back the rest. */
                            canMerge?: boolean;
                            turnId: string;
                            at: string;
                        }[];
                        /** @description What the turn did outside, which nothing here takes back. */
                        outside: components["schemas"]["Outside"][];
                        /** @description Files that are left out. */
                        more: number;
                        /** @description Unified; of the file that `path` names, where it is text. */
                        diff?: string;
                        /** @description Of that diff: what names each hunk that can be taken back by itself, in their order; they mean nothing once the file is another. */
                        hunks?: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChats: {
        parameters: {
            query?: {
                archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chats: components["schemas"]["Chats"][];
                        orphanIds: string[];
                        activeChatId: string | null;
                        residentChatIds: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiChats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspaceMode?: "scratch" | "folder" | "reuse";
                    /** @description Absolute; needed by `folder` and `reuse`. */
                    workspaceRoot?: string;
                    title?: string;
                    activate?: boolean;
                    /** @description It is erased when it is deleted, a day after it was used last, and with the next start of the server. */
                    temporary?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chats"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chats"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiChatsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        newActiveId: string | null;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    patchApiChatsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    /** @description By the name that the provider gives it; `null` for the one of the settings. */
                    model?: string | null;
                    /** @description How much the model reasons before it answers; `null` for the setting. */
                    effort?: "off" | "low" | "medium" | "high" | "max" | null;
                    mode?: components["schemas"]["Mode"];
                    pinned?: boolean;
                    archived?: boolean;
                    tags?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chats"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiChatsIdActivate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chats"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsIdBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        state: "closed" | "starting" | "open";
                        tabs: {
                            id: string;
                            /** @description At most 2,000 characters of it. */
                            url: string;
                            title: string;
                            /** @description The agent worked with it last. */
                            isActive: boolean;
                        }[];
                        /** @description For people: why there is no tab. */
                        note?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsIdBrowserTabIdPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                tabId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsIdExport: {
        parameters: {
            query?: {
                format?: "markdown" | "json" | "html";
                secrets?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiChatsIdFolders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Absolute; all of them. */
                    folders: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiChatsIdFork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Last turn of the copy; all when left out. */
                    atTurn?: string;
                    /** @description Instead of `atTurn`: the copy ends before this turn, and is marked as another way to go on from there. */
                    beforeTurn?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chats"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiChatsIdMcp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All of them; none takes back what was brought. */
                    servers: ({
                        /** @description The tools of the server begin with it. */
                        name: string;
                        args?: string[];
                        env?: components["schemas"]["Env"];
                        /** @description Absolute; the home folder when left out. */
                        cwd?: string;
                        command: string;
                    } | {
                        /** @description The tools of the server begin with it. */
                        name: string;
                        url: string;
                        headers?: {
                            [key: string]: string;
                        };
                    })[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        servers: {
                            name: string;
                            toolCount: number;
                            /** @description Why it cannot be used. */
                            error?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsIdTakenOut: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of messages and calls. */
                        ids: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsIdTranscript: {
        parameters: {
            query?: {
                before?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        running?: {
                            turnId: string;
                            model?: string;
                            startedAt: string;
                            waitingFor: "model" | "tool" | "approval" | "answer" | "retry";
                            /** @description ISO 8601: since when it waits for that. */
                            since: string;
                            /** @description While it waits for `retry`: what the model provider did, which attempt follows, and when (ISO 8601). */
                            retry?: {
                                attempt: number;
                                of: number;
                                reason: string;
                                until: string;
                            };
                        };
                        entries: ({
                            /** @description Stable: keys of lists, anchors of search hits. */
                            id: string;
                            /** @description ISO 8601 UTC. */
                            at: string;
                            turnId?: string;
                            /** @constant */
                            kind: "user";
                            text: string;
                            attachments: components["schemas"]["Attachments"][];
                            /** @description `queued`: waits behind a running turn. Of a client alone: `sending`, in its outbox; `failed`, `problem` says why, it can be sent again or dropped. */
                            state: "sending" | "queued" | "accepted" | "failed";
                            /** @description It joined a running turn. */
                            isSteer?: boolean;
                            /** @description It was spoken and sent as it was heard. */
                            liveDictation?: boolean;
                            clientId?: string;
                            problem?: string;
                            origin?: components["schemas"]["Origin"];
                            /** @description Who wrote it, where it was not the owner: a name. */
                            saidBy?: string;
                        } | {
                            /** @description Stable: keys of lists, anchors of search hits. */
                            id: string;
                            /** @description ISO 8601 UTC. */
                            at: string;
                            turnId?: string;
                            /** @constant */
                            kind: "assistant";
                            text: string;
                            reasoning: string;
                            /** @description Until the reply is whole. */
                            isStreaming: boolean;
                            /** @description Of the reply that a turn ended with: how long the turn took, in milliseconds. */
                            turnMs?: number;
                        } | {
                            /** @description Stable: keys of lists, anchors of search hits. */
                            id: string;
                            /** @description ISO 8601 UTC. */
                            at: string;
                            turnId?: string;
                            /** @constant */
                            kind: "tool";
                            callId: string;
                            /** @description Of the reply that made the call. */
                            messageId?: string;
                            name: string;
                            /** @description `writing`: the model still writes the call; `queued`: others of its reply come first; `waiting`: a person is asked; `interrupted`: it has no result. */
                            state: "writing" | "queued" | "waiting" | "running" | "ok" | "failed" | "interrupted";
                            /** @description ISO 8601: since when it runs. */
                            startedAt?: string;
                            /** @description JSON text of the arguments as far as written; empty once `args` has them. */
                            argsText: string;
                            args?: {
                                [key: string]: unknown;
                            };
                            /** @description The name of a picture, as the owner of the tool says. */
                            icon?: string;
                            /** @description What the call is about, in one line, as the owner of the tool says. */
                            subject?: string;
                            /** @description While it runs: the newest lines, at most 200. */
                            progress: string[];
                            /** @description The file that the call writes, as it is being written. */
                            compose?: {
                                path: string;
                                text: string;
                                lines: number;
                                isDone: boolean;
                            };
                            /** @description How it ended, as the model was told. */
                            ok?: boolean;
                            output?: string;
                            durationMs?: number;
                            artifactId?: string;
                            truncated?: boolean;
                            /** @description The output holds other people's text. */
                            untrusted?: boolean;
                            images?: components["schemas"]["Attachments"][];
                            /** @description The same as a view, as `GET /api/views/:name` answers one. */
                            view?: unknown;
                            approval?: {
                                approvalId: string;
                                chatId: string;
                                turnId: string;
                                callId: string;
                                name: string;
                                args: {
                                    [key: string]: unknown;
                                };
                                effects: string[];
                                /** @description Why it is asked. */
                                reason: string;
                                preview?: components["schemas"]["Preview"];
                                rehearsal?: components["schemas"]["Rehearsal"];
                                /** @description What remembering the decision would keep, as a sentence; left out where nothing is kept. */
                                remembers?: string;
                                /** @description What such a rule would be about, in a few words. */
                                always?: string;
                                /** @description ISO 8601: when it was asked. */
                                since?: string;
                                /** @description ISO 8601: when it is rejected by itself; left out where it waits without a limit. */
                                expiresAt?: string;
                            };
                            decision?: {
                                decision: "approve" | "reject" | "edit";
                                by: string;
                                reason?: string;
                                /** @description Who decided, where it was not the owner: a name. */
                                saidBy?: string;
                            };
                            question?: {
                                askId: string;
                                chatId: string;
                                turnId: string;
                                callId: string;
                                prompt: string;
                                options?: string[];
                                since: string;
                            };
                            answer?: string;
                            /** @description Who answered, where it was not the owner: a name. */
                            answeredBy?: string;
                            task?: {
                                taskId: string;
                                goal: string;
                                model?: string;
                                /** @description Its newest words. */
                                text: string;
                                messageId?: string;
                                calls: {
                                    callId: string;
                                    name: string;
                                    args?: unknown;
                                    subject?: string;
                                    /** @description Left out while it runs. */
                                    isOk?: boolean;
                                }[];
                                /** @description How it ended; left out while it runs. */
                                reason?: string;
                                rounds?: number;
                                durationMs?: number;
                            };
                        } | {
                            /** @description Stable: keys of lists, anchors of search hits. */
                            id: string;
                            /** @description ISO 8601 UTC. */
                            at: string;
                            turnId?: string;
                            kind: "system" | "error";
                            text: string;
                            /** @description The reason of an ending, the code of an error, else the kind of the event. */
                            code?: string;
                            /** @description What the plugin of the event gave for a view of its own. */
                            data?: unknown;
                            /** @description The same as a view, as `GET /api/views/:name` answers one. */
                            view?: unknown;
                        } | {
                            /** @description Stable: keys of lists, anchors of search hits. */
                            id: string;
                            /** @description ISO 8601 UTC. */
                            at: string;
                            turnId?: string;
                            /** @constant */
                            kind: "announcement";
                            text: string;
                            origin: components["schemas"]["Origin"];
                            channel: "user" | "trace";
                            /** @description Other people's text is in it. */
                            untrusted?: boolean;
                        })[];
                        cursor?: string;
                        /** @description Id of the newest event that is part of it: who follows the chat goes on after that one. */
                        upTo?: number;
                        /** @description What plugins say of messages and calls of the whole chat, by their ids; with the newest page alone, and left out where they say nothing. */
                        marks?: {
                            label: string;
                            ids: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiChatsImport: {
        parameters: {
            query?: {
                workspaceRoot?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    format: "agent-chat";
                    /** @constant */
                    version: 1;
                    chat: {
                        chatId: string;
                        title: string;
                        /** @description ISO 8601 UTC. */
                        createdAt: string;
                        /** @description ISO 8601 UTC. */
                        updatedAt: string;
                        /** @description Where the chat worked. An import does not use it. */
                        workspaceRoot?: string;
                        model?: string;
                        tags: string[];
                    };
                    entries: ({
                        /** @constant */
                        kind: "user";
                        /** @description ISO 8601 UTC. */
                        at: string;
                        text: string;
                        /** @description Names; what is in them is not kept. */
                        files?: string[];
                        /**
                         * @description A person took it out of the conversation: no model reads it.
                         * @constant
                         */
                        isTakenOut?: true;
                    } | {
                        /** @constant */
                        kind: "assistant";
                        /** @description ISO 8601 UTC. */
                        at: string;
                        text: string;
                        reasoning?: string;
                        /**
                         * @description A person took it out of the conversation: no model reads it.
                         * @constant
                         */
                        isTakenOut?: true;
                    } | {
                        /** @constant */
                        kind: "tool";
                        /** @description ISO 8601 UTC. */
                        at: string;
                        name: string;
                        /** @description What it was about, in one line. */
                        subject?: string;
                        args?: {
                            [key: string]: unknown;
                        };
                        ok: boolean;
                        output: string;
                        durationMs?: number;
                        /**
                         * @description A person took it out of the conversation: no model reads it.
                         * @constant
                         */
                        isTakenOut?: true;
                    } | {
                        /** @constant */
                        kind: "note";
                        /** @description ISO 8601 UTC. */
                        at: string;
                        text: string;
                    })[];
                    /** @description It was longer; the end is here. */
                    isCut?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatId: string;
                        /** @description Not, where the same came in before. */
                        isNew: boolean;
                        isInTrash: boolean;
                        turns: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsSearch: {
        parameters: {
            query: {
                q: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hits: {
                            chatId: string;
                            entryId: string;
                            at: string;
                            excerpt: string;
                            /** @description Labels of what plugins say of it. */
                            marks?: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiChatsTrash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chats: {
                            chatId: string;
                            title: string;
                            workspaceRoot?: string;
                            turns: number;
                            deletedAt: string;
                            /** @description Whole days, at least; then it goes for good. */
                            daysLeft: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiChatsTrashId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiChatsTrashIdRestore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chats"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiCommands: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        commands: {
                            name: string;
                            summary: string;
                            usage?: string;
                            /** @description What it asks for, in its order. */
                            places?: {
                                label: string;
                                /** @description Takes all that is written; else a word, or several in double quotes. */
                                isWhole: boolean;
                            }[];
                            /** @description What it answers may be a secret: run it here and not by a message, which is kept. */
                            isSecret?: boolean;
                            /** @description It acts on the turn that runs: run it here, as a message would wait for its end. */
                            isImmediate?: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiCommands: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Without the slash. */
                    name: string;
                    args?: string;
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        text: string;
                        /** @description The same as a view, as `GET /api/views/:name` answers it. */
                        view?: unknown;
                        /** @description Of a command that calls tools: it was sent as a message, and runs in that turn. */
                        turnId?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        personaBootstrapEnabled: boolean;
                        /** @description Clients ask what the agent should be like. */
                        personaBootstrapPending: boolean;
                        personaBootstrapAllowSkip: boolean;
                        personaUiTheme: components["schemas"]["PersonaUiTheme"];
                        /** @description What the character is called; empty where there is none. */
                        personaDisplayLabel: string;
                        heartbeatEnabled: boolean;
                        heartbeatUiStrip: boolean;
                        dictationWebSpeech: boolean;
                        dictationAudioCue: boolean;
                        transcribeEnabled: boolean;
                        ttsEnabled: boolean;
                        ttsVoice: string;
                        activeChat: {
                            chatId: string;
                            title: string;
                            workspaceMode: string;
                            workspaceRoot?: string;
                            workspaceFingerprint?: string;
                        } | null;
                        /** @description No key is configured, so that a demo answers. */
                        demoModel: boolean;
                        /** @description Left out where AGENT_APPROVAL_TIMEOUT_MS cannot be used. */
                        approvalTimeoutMs?: number;
                        transcribeMaxBytes: number;
                        webAuthToken?: string;
                        productName: string;
                        version: string;
                        uiVerbosity: string;
                        /** @description What the caller may. */
                        rights: {
                            /** @description viewer, member, admin or owner. */
                            role: string;
                            /** @description The only areas that the role counts in; left out, it counts everywhere. */
                            areas?: string[];
                        };
                        plugins: {
                            name: string;
                            origin: string;
                            state: string;
                            reason?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiContext: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Tokens of the next request as it stands; estimated from what the provider counted last. */
                        used: number;
                        /** @description Tokens that the model of the chat takes. */
                        limit: number;
                        /** @description They add up to `used`. */
                        parts: {
                            /** @description Left out, with `memory`, before the first request since the start of the server. */
                            system?: number;
                            memory?: number;
                            tools: number;
                            conversation: number;
                        };
                        /** @description From so many tokens on older rounds are shortened by themselves. */
                        compactsAt: number;
                        /** @description What `/compact` would bring it down to; left out where there is nothing to shorten. */
                        compactsTo?: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiDesktopWindow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The chat that it shows; the last one when left out. */
                    chatId?: string;
                    /** @description Where the caller's screen is, by the variables that say so. */
                    environment?: {
                        DISPLAY?: string;
                        WAYLAND_DISPLAY?: string;
                        XAUTHORITY?: string;
                        XDG_RUNTIME_DIR?: string;
                        DBUS_SESSION_BUS_ADDRESS?: string;
                        XDG_SESSION_TYPE?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description normal, minimized, maximized or fullscreen. */
                        state: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiDreams: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["Runs"][];
                        next: {
                            /** @description The one that is closed. */
                            gate?: string;
                            why: string;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiDreams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run?: components["schemas"]["Runs"];
                        next?: {
                            /** @description The one that is closed. */
                            gate?: string;
                            why: string;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiDreamsUndo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The newest one that changed something when left out. */
                    runId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        run: components["schemas"]["Runs"];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiFolders: {
        parameters: {
            query?: {
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The real one. */
                        path: string;
                        parent: string | null;
                        /** @description Names; hidden ones and links are left out. */
                        folders: string[];
                        /** @description There are more. */
                        isCut: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiForecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        forecast: {
                            /** @description Of the numbers. */
                            unit: "usd" | "tokens";
                            /** @description Half of such turns came to less. */
                            likely: number;
                            /** @description Four of five such turns lay between this and `high`. */
                            low: number;
                            /** @description See `low`. */
                            high: number;
                            /** @description Of the past, on which it rests. */
                            turns: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHeartbeat: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isOn: boolean;
                        surface: string;
                        /** @description What it does now, for that chat. */
                        state: "off" | "idle" | "waiting" | "thinking" | "muted" | "quiet_hours" | "no_model";
                        /** @description ISO 8601; while it waits. */
                        dueAt?: string;
                        last?: components["schemas"]["Last"];
                        /** @description The newest one of that chat that is shown and not answered. */
                        nudge?: {
                            run: components["schemas"]["Last"];
                        };
                        today: {
                            day: string;
                            runs: number;
                            failed: number;
                            shown: number;
                            used: number;
                            dismissed: number;
                            /** @description USD; null where the provider says none. */
                            cost: number | null;
                        };
                        gate?: {
                            /** @description What the setting says. */
                            least: number;
                            now: number | null;
                            steps: number;
                        };
                        quietHours: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiHeartbeatLess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chatId: string;
                    isLess: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        steps: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiHeartbeatMute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isMuted: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isMuted: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiHeartbeatNudgesRunId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    answer: "used" | "dismissed" | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHeartbeatRuns: {
        parameters: {
            query?: {
                chatId?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["Last"][];
                        days: {
                            day: string;
                            runs: number;
                            failed: number;
                            shown: number;
                            used: number;
                            dismissed: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHubAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connected: boolean;
                        account: {
                            email: string;
                            /** @enum {string} */
                            tier: "community" | "pro" | "team" | "enterprise";
                            /** @enum {string} */
                            source: "browser" | "environment";
                            connectedAt: string;
                        } | null;
                        /** @enum {string} */
                        tier: "community" | "pro" | "team" | "enterprise";
                        /** @enum {string} */
                        status: "community" | "active" | "grace" | "expired" | "invalid";
                        issuedAt?: string;
                        expiresAt?: string;
                        /** @description The organisation whose license it is. */
                        org?: string;
                        /** @description For how many people the license is. */
                        seats?: number;
                        entitlements: string[];
                        licensed: boolean;
                        message?: string;
                        /** @description What to do about a license that is invalid. */
                        advice?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHubAuthCallback: {
        parameters: {
            query: {
                token: string;
                state: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiHubAuthCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiHubAuthCallback"];
                "application/x-www-form-urlencoded": components["schemas"]["ApiHubAuthCallback"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** @enum {string} */
                        tier: "community" | "pro" | "team" | "enterprise";
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHubConnectBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connectUrl: string;
                        state: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHubConnectOutcome: {
        parameters: {
            query: {
                state: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        state: "waiting" | "signed_in" | "failed" | "over";
                        message?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHubDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiHubDevice"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiHubDeviceBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiHubDevice"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiHubDeviceCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiHubInferenceStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        configured: boolean;
                        entitled: boolean;
                        remaining: number | null;
                        cap: number | null;
                        used: number | null;
                        periodEnd: string | null;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiHubLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** @description The control plane takes the license no longer. */
                        revoked: boolean;
                        /** @description Why it may still take it. */
                        message?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiHubReconnect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiImportAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: "claude-code" | "codex" | "opencode";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        title: string;
                        /** @description The newest first. */
                        sessions: {
                            id: string;
                            title: string;
                            /** @description In which it worked. */
                            folder?: string;
                            updatedAt: string;
                            /** @description 0 where that is known only once it is read. */
                            bytes: number;
                            /** @description Of the chat that was made of it. */
                            chatId?: string;
                            /** @description That chat was deleted and can be restored. */
                            isInTrash?: boolean;
                        }[];
                        servers: {
                            name: string;
                            /** @description With its arguments, without what looks like a secret. */
                            command?: string;
                            url?: string;
                            /** @description Names of variables and headers that it is given; their values are not told. */
                            variables: string[];
                            file: string;
                            /** @description A connection has that name. */
                            isHere: boolean;
                        }[];
                        rules: {
                            path: string;
                            scope: "global" | "workspace";
                            characters: number;
                            /** @description `nothing`: the folder has an AGENTS.md, which is read already. */
                            becomes: "note" | "AGENTS.md" | "nothing";
                        }[];
                        /** @description What cannot be taken over, and why. */
                        notes: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiImportAgentRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: "claude-code" | "codex" | "opencode";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        taken: {
                            path: string;
                            /** @description In a sentence. */
                            became: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiImportAgentServersName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: "claude-code" | "codex" | "opencode";
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        toolCount: number;
                        authorizeUrl?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiImportAgentSessionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: "claude-code" | "codex" | "opencode";
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Absolute path of the folder that the person picked. Without it the chat gets an empty folder. */
                    workspaceRoot?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatId: string;
                        /** @description Not, where it came in before. */
                        isNew: boolean;
                        isInTrash: boolean;
                        turns: number;
                        /** @description Could not be read and were skipped. */
                        brokenLines: number;
                        /** @description It was longer than what is read. */
                        isCut: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        providers: {
                            id: string;
                            title: string;
                            kind: string;
                            status: string;
                            accounts: {
                                accountId: string;
                                email?: string;
                                name?: string;
                                mode: "read_write" | "read_only";
                                scopes: string[];
                                expiresAt?: string;
                                healthy: boolean;
                                /** @description Whether its token could be refreshed when it was last tried. */
                                reachable?: boolean;
                            }[];
                        }[];
                        connections: {
                            name: string;
                            /** @description As its source says: what there is of it is added and removed at `/api/integrations/<kind>`. */
                            kind: string;
                            status: string;
                            toolCount: number;
                            authorizeUrl?: string;
                            error?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiIntegrationsProvider: {
        parameters: {
            query?: {
                revoke?: "0" | "1";
                accountId?: string;
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        revoked: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiIntegrationsProviderBegin: {
        parameters: {
            query?: {
                mode?: "read_write" | "read_only";
            };
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        connectUrl: string;
                        state: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiIntegrationsMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The tools of the server begin with it. */
                    name: string;
                    /** @description Of a server that is reached by HTTP. Either this or a command. */
                    url?: string;
                    /** @description A program that speaks MCP on its standard input and output. */
                    command?: string;
                    args?: string[];
                    env?: components["schemas"]["Env"];
                    /** @description Absolute; the home folder when left out. */
                    cwd?: string;
                    /** @description With a url only. Kept sealed. */
                    auth?: {
                        /** @constant */
                        kind: "bearer";
                        token: string;
                    } | {
                        /** @constant */
                        kind: "header";
                        name: string;
                        value: string;
                    } | {
                        /** @constant */
                        kind: "oauth";
                        /** @description Given by the other side beforehand; registered on its own when left out. */
                        clientId?: string;
                        clientSecret?: string;
                        /** @description Where a document about this client lies, for sides that take its address as the id of the client. */
                        clientMetadataUrl?: string;
                        /** @description Asked for where the server names none. */
                        scope?: string;
                    } | {
                        /** @constant */
                        kind: "client_credentials";
                        clientId: string;
                        clientSecret?: string;
                        /** @description PKCS #8, PEM; in place of a secret. */
                        privateKey?: string;
                        /** @description Of the privateKey, such as ES256. */
                        algorithm?: string;
                        scope?: string;
                    } | {
                        /** @constant */
                        kind: "cross_app";
                        clientId: string;
                        clientSecret?: string;
                        idpTokenEndpoint: string;
                        idpClientId: string;
                        idpClientSecret?: string;
                        idToken: string;
                        scope?: string;
                    };
                    /**
                     * @description Whether tools that the server says only read go ahead without asking, until text from outside was read.
                     * @default false
                     */
                    autoApproveReads?: boolean;
                    /** @description For a call, in milliseconds; 60,000 when left out. */
                    timeoutMs?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        toolCount: number;
                        tools: {
                            /** @description As the server calls it. */
                            name: string;
                            description: string;
                        }[];
                        /** @description Tools that were left out, and why. */
                        error?: string;
                        /** @description Somebody must sign in there first, within 10 minutes. */
                        authorizeUrl?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiIntegrationsMcpName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiIntegrationsMcpNameCallback: {
        parameters: {
            query: {
                code?: string;
                state: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiIntegrationsOauthHandoff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    state: string;
                    provider: string;
                    bundle: {
                        accountId: string;
                        email?: string;
                        accessToken: string;
                        refreshToken?: string;
                        /** Format: date-time */
                        expiresAt?: string;
                        scopes?: string[];
                        metadata?: {
                            name?: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        provider: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiIntegrationsOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Begins the names of its tools. */
                    name: string;
                    /** @description Address of the document; either this or spec. */
                    specUrl?: string;
                    /** @description The document: an object, or a text in JSON or YAML. */
                    spec?: unknown;
                    /** @description Where calls go; the first server of the document when left out. */
                    baseUrl?: string;
                    /** @description Several for a document with several security schemes. */
                    auth?: components["schemas"]["Auth"] | components["schemas"]["Auth"][];
                    /**
                     * @description Whether GET and HEAD go ahead without asking.
                     * @default true
                     */
                    autoApproveReads?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        toolCount: number;
                        /** @description Where calls, and credentials, go. */
                        baseUrl: string;
                        /** @description The first 200. */
                        tools: {
                            name: string;
                            description: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiIntegrationsOpenapiName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiMemory: {
        parameters: {
            query?: {
                chatId?: string;
                q?: string;
                scope?: "chat" | "workspace" | "global";
                show?: "active" | "pending" | "deleted";
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        notes: components["schemas"]["Notes"][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description `type:key`. */
                    id: string;
                    scope: "chat" | "workspace" | "global";
                    value: string;
                    revision: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiMemory"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description `fact` when left out. */
                    type?: string;
                    key: string;
                    value: string;
                    scope?: "chat" | "workspace" | "global";
                };
            };
        };
        responses: {
            /** @description Done. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiMemory"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemoryAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description `type:key`. */
                    id: string;
                    scope: "chat" | "workspace" | "global";
                    isAccepted: boolean;
                    /** @description What counts instead; it is yours then. */
                    value?: string;
                    /** @description With a rejection: nothing about this is noted by itself again. */
                    never?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiMemory"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemoryForget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiMemoryForget"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiMemory"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemoryForgetChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Notes that are gone. */
                        forgotten: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemoryPin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description `type:key`. */
                    id: string;
                    scope: "chat" | "workspace" | "global";
                    isPinned: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiMemory"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemoryRestore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiMemoryForget"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiMemory"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiMemoryUnwanted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        unwanted: {
                            id: string;
                            value: string;
                            at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMemoryUnwantedAllow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description `type:key`. */
                    id: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    attachments?: {
                        name: string;
                        dataUrl: string;
                    }[];
                    clientId?: string;
                    whenBusy?: "reject" | "queue" | "steer";
                    liveDictation?: boolean;
                    /** @description The active chat when left out. */
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turnId: string;
                        messageId: string;
                        chatId: string;
                        queued: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiMessageTakeBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    turnId: string;
                    /** @description The active chat when left out. */
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        models: components["schemas"]["Models"][];
                        /** @description Why there are none. */
                        reason?: string;
                        /** @description The configured model; a chat may have its own. */
                        current: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPair: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    /** @description For the list of devices. */
                    deviceName: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of this device; it is told only now. */
                        token: string;
                        device: components["schemas"]["Device"];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPairBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `view` reads chats; `chat` also sends messages and stops turns, and decides nothing; `full` does what the owner may.
                     * @enum {string}
                     */
                    role?: "view" | "chat" | "full";
                    /**
                     * @description For a device that comes from outside of the network, through the control plane.
                     * @constant
                     */
                    way?: "outside";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Works once. */
                        code: string;
                        /**
                         * @description `view` reads chats; `chat` also sends messages and stops turns, and decides nothing; `full` does what the owner may.
                         * @enum {string}
                         */
                        role: "view" | "chat" | "full";
                        expiresAt: string;
                        /** @description Of the page, with the code in it: for a QR code. */
                        address: string;
                        /** @description Where the page can be opened. */
                        urls: string[];
                        /** @description The server listens on this machine only, so no other device reaches it. */
                        localOnly: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPairDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        devices: components["schemas"]["Device"][];
                        /** @description Until when a code that was given out can still be used. */
                        openUntil: string | null;
                        /** @description Further ways by which a device can be paired now: `outside`. */
                        ways: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiPairDevicesId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    patchApiPairDevicesId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `view` reads chats; `chat` also sends messages and stops turns, and decides nothing; `full` does what the owner may.
                     * @enum {string}
                     */
                    role: "view" | "chat" | "full";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        device: components["schemas"]["Device"];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPending: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approvals: {
                            approvalId: string;
                            chatId: string;
                            turnId: string;
                            callId: string;
                            /** @description The tool. */
                            name: string;
                            /** @description The arguments of the call. */
                            args: unknown;
                            effects: ("read" | "write" | "execute" | "network" | "external")[];
                            /** @description Why it is asked, as a sentence. */
                            reason: string;
                            /** @description Where the rule comes from that wants it, such as the policy of an organisation. */
                            source?: string;
                            /**
                             * @description The turn had read text from outside before.
                             * @constant
                             */
                            afterOutside?: true;
                            preview?: components["schemas"]["Preview"];
                            rehearsal?: components["schemas"]["Rehearsal"];
                            /** @description What remembering the decision for the chat would keep, as a sentence; left out where nothing is kept. */
                            remembers?: string;
                            /** @description What such a rule would be about, in a few words: the command, or every call of the tool. */
                            always?: string;
                            /** @description ISO 8601; the call is rejected then. Left out where it waits without a limit. */
                            expiresAt?: string;
                        }[];
                        questions: {
                            askId: string;
                            chatId: string;
                            turnId: string;
                            callId: string;
                            prompt: string;
                            options?: string[];
                            /** @description ISO 8601. */
                            since: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPersona: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPersona"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPersonaBootstrap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the agent should be like, in one free sentence. */
                    input?: string;
                    /** @constant */
                    skip?: true;
                };
            };
        };
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiPersonaChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    off: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatId: string;
                        off: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPersonaHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            version: number;
                            at: string;
                            /** @enum {string} */
                            by: "bootstrap" | "skip" | "edit" | "revert" | "reset" | "learn" | "outside" | "artifact";
                            why: string;
                            label: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPersonaRevert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPersona"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiPersonaSlicesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "rails" | "identity" | "voice" | "stance" | "living";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    base: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPersona"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPersonaSlicesNameHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "rails" | "identity" | "voice" | "stance" | "living";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            version: number;
                            at: string;
                            /** @enum {string} */
                            by: "bootstrap" | "skip" | "edit" | "revert" | "reset" | "learn" | "outside" | "artifact";
                            /** @enum {string} */
                            source: "model" | "scaffold" | "person" | "learned";
                            why: string;
                            text: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPersonaSlicesNameOutside: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "rails" | "identity" | "voice" | "stance" | "living";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hash: string;
                    take: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPersona"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPersonaSlicesNameRevert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "rails" | "identity" | "voice" | "stance" | "living";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPersona"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPersonaTheme: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        personaUiTheme: components["schemas"]["PersonaUiTheme"];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiPersonaTheme: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description null: back to plain. */
                    theme: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPersona"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPersonaThemePreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Theme"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        theme: components["schemas"]["Theme"];
                        palette: components["schemas"]["Palette"];
                        /** @description The palette as values of the custom properties of the page, by their names without the dashes. */
                        tokens: {
                            [key: string]: string;
                        };
                        contrast: {
                            light: components["schemas"]["Light"];
                            dark: components["schemas"]["Light"];
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPlan: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description The step, in a few words. */
                            text: string;
                            status: "pending" | "active" | "done";
                        }[];
                        /** @description The turn that wrote it last. */
                        turnId?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPlugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plugins: components["schemas"]["Plugins"][];
                        /** @description Newest last, 100 at most. */
                        errors: {
                            id: number;
                            at: string;
                            source: string;
                            plugin?: string;
                            code: string;
                            message: string;
                        }[];
                        /** @description Further plugins are being loaded. */
                        isLoading: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiPluginsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    disabled: boolean;
                    whenBusy?: components["schemas"]["WhenBusy"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPluginsName"];
                };
            };
            /** @description Accepted; it is done once no turn runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPluginsName"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiPluginsName: {
        parameters: {
            query?: {
                withData?: boolean;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        gone: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiPluginsNameTrust: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where it runs; `null`: as its manifest says, else in a child process if it was installed, else in the process. */
                    isolation?: "process" | "child" | null;
                    /** @description The approved sentences: all that are requested now, as they were shown. */
                    asks?: string[];
                    whenBusy?: components["schemas"]["WhenBusy"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPluginsName"];
                };
            };
            /** @description Accepted; it is done once no turn runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPluginsName"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPluginsAudit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plugins: {
                            name: string;
                            origin: "installed" | "own";
                            version?: string;
                            isolation: string;
                            findings: {
                                level: "ok" | "note" | "wrong";
                                text: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPluginsInstalled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plugins: {
                            name: string;
                            version: string;
                            description: string;
                            source: string;
                            resolved: string;
                            digest: string;
                            isolation: string;
                            installedAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPluginsOffers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Absolute path of an archive or a folder, npm:name@version, git:address#branch, address of an archive; of an installed plugin its name. */
                    source: string;
                    /** @description Takes a version that is very new. */
                    noCoolDown?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        version: string;
                        description: string;
                        source: string;
                        resolved: string;
                        /** @description SHA-256 of all files together: what a decision counts for. */
                        digest: string;
                        isolation: string;
                        /** @description What it can do, a sentence each. */
                        needs: string[];
                        /** @description Of that, what the installed version could not. */
                        grown: string[];
                        files: number;
                        bytes: number;
                        /** @description What a careful reader looks at first. */
                        notes: string[];
                        published?: string;
                        installed?: {
                            version: string;
                            files: number;
                            bytes: number;
                            isSame: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPluginsOffersId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the offer that the person agreed to. */
                    digest: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        version: string;
                        /** @constant */
                        pending?: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPluginsReload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    whenBusy?: components["schemas"]["WhenBusy"];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPluginsReload"];
                };
            };
            /** @description Accepted; it is done once no turn runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiPluginsReload"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPrompts: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        templates: {
                            name: string;
                            origin: "own" | "workspace";
                            /** @description Relative to the home folder, or to the workspace. */
                            path: string;
                            description: string;
                            /** @description What its places are called: `[file] [what to look for]`. */
                            argumentHint?: string;
                            text: string;
                            /** @description What it is called among the commands, without the slash; left out where its name is taken. */
                            command?: string;
                        }[];
                        leftOut: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiPromptsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the model is told; `$1` … and `$ARGUMENTS` are places. */
                    text: string;
                    description?: string;
                    argumentHint?: string;
                    /** @description Of its file, without `.md`, and of its command. */
                    from?: string;
                    /** @description Refused where there is one of that name. */
                    isNew?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiPromptsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What answers now: `chat-completions`, `messages`, `demo`, `managed`, … */
                        route: string;
                        model: string;
                        baseURL: string;
                        apiKeyConfigured: boolean;
                        /** @description The configured model shuts down within 30 days, or did already. */
                        shutdown?: {
                            model: string;
                            /** @description The day, ISO 8601. */
                            on: string;
                            successor?: string;
                        };
                        /** @description Its `id` in `providers`, where that address is one of theirs. */
                        provider?: string;
                        providers: {
                            id: string;
                            title: string;
                            baseURL: string;
                            /** @description Where a person makes a key. */
                            keysPage: string;
                            /** @description Where a person adds credit. */
                            creditPage: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiProviderKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key: string;
                    /** @description Root of the provider; the configured one when left out. */
                    baseURL?: string;
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        models?: components["schemas"]["Models"][];
                        /** @description What to put into `.env` of the home folder, with the key in the place of `<key>`. */
                        keepLine: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiProviderKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiProviderLocal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoints: {
                            title: string;
                            baseURL: string;
                            models: components["schemas"]["Models"][];
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiProviderTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key?: string;
                    /** @description The configured one when left out. */
                    baseURL?: string;
                    /** @description The configured one when left out. */
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The model answered. */
                        ok: boolean;
                        baseURL: string;
                        wire: string;
                        /** @description The model that was asked. */
                        model: string;
                        /** @description Whether the server answered, with an error too; left out where the request was not sent or timed out. */
                        reachable?: boolean;
                        /** @description Milliseconds until the reply began, or until the error. */
                        ms: number;
                        /** @description The reply came in several parts. */
                        streaming?: boolean;
                        /** @description `called`: the model called the test tool. `refused`: the server takes no tools. `not_called`: the model answered without a call. */
                        tools?: "called" | "refused" | "not_called";
                        /** @description `seen`: the model named the colour of the test picture. `accepted`: the server took it, the model did not. `refused`: the server takes none. */
                        pictures?: "seen" | "accepted" | "refused";
                        /** @description The reply contained reasoning. */
                        reasoning?: boolean;
                        /** @description The same for people. */
                        lines: {
                            title: string;
                            text: string;
                        }[];
                        error?: {
                            code: string;
                            message: string;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For `applicationServerKey`: an uncompressed point of P-256, base64url. */
                        publicKey: string;
                        subscriptions: components["schemas"]["Subscriptions"][];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiPush: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    endpoint: string;
                    keys: {
                        p256dh: string;
                        auth: string;
                    };
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subscription: components["schemas"]["Subscriptions"];
                        /** @description Why the message that tries it out did not get through. */
                        failure?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiPushId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiRedo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiRedo"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiRemote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        available: boolean;
                        /** @description Why not. */
                        reason?: string;
                        /** @description By which guests may come. */
                        ways: {
                            transport: "lan" | "cloud";
                            available: boolean;
                            /** @description Why guests cannot come that way. */
                            reason?: string;
                        }[];
                        codes: components["schemas"]["Codes"][];
                        guests: {
                            guestId: string;
                            name: string;
                            address: string;
                            role: "view" | "control";
                            since: string;
                            transport: "lan" | "cloud";
                            /** @description The host has allowed it. */
                            mayControl: boolean;
                            /** @description Four words that the guest shows, too. Where they differ, somebody else is between: do not allow it. */
                            words?: string;
                            mayDecide: boolean;
                            /** @description waiting: it asks to control. */
                            state: "waiting" | "watching" | "controlling";
                            /** @description How old its picture is, as far as it is known. */
                            ageMs: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiRemote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role: "view" | "control";
                    transport: "lan" | "cloud";
                    singleUse?: boolean;
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Codes"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiRemote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiRemoteCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiRemoteGuestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description To control. */
                    allow?: boolean;
                    /** @description To answer approvals and questions. */
                    mayDecide?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiRemoteGuestsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSessionAbort: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        turnId: string;
                        stopped: string[];
                        /** @description Turns whose messages waited behind it; they end as `aborted`, unheard. */
                        unqueued: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSessionReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    mode: "soft" | "hard";
                    greet?: boolean;
                    /** @description The active chat when left out. */
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Clients ask what the agent should be like. */
                        personaBootstrapPending: boolean;
                        /** @constant */
                        ok: true;
                        mode: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiSessionRetries: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        retries: {
                            chatId: string;
                            turnId: string;
                            attempt: number;
                            of: number;
                            /** @description What the provider did. */
                            reason: string;
                            /** @description It limits how often it is asked; else it failed. */
                            isLimit: boolean;
                            /** @description ISO 8601: when it is asked again. */
                            until: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSessionRetry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tabs: {
                            id: string;
                            title: string;
                        }[];
                        fields: {
                            key: string;
                            tab: string;
                            /** @description The plugin that declares it. */
                            group: string;
                            label: string;
                            description: string;
                            /** @description Further words by which people look for it. */
                            words?: string;
                            /** @description It is among what people look for first; smaller ones come first. */
                            rank?: number;
                            /** @enum {string} */
                            kind: "boolean" | "integer" | "number" | "string" | "enum";
                            values?: string[];
                            minimum?: number;
                            maximum?: number;
                            default: boolean | number | string | null;
                            value: boolean | number | string | null;
                            resetsTo?: boolean | number | string | null;
                            /** @enum {string} */
                            source: "environment" | "fleet" | "preferences" | "default";
                            locked: boolean;
                            sensitive: boolean;
                            restart: boolean;
                            /** @description What is wrong with the set value, and what holds in its place. */
                            warning?: string;
                        }[];
                        provider: {
                            model: string;
                            baseURL: string;
                            apiKeyConfigured: boolean;
                            inferenceMode: "byok" | "managed" | "auto";
                            route: string;
                        };
                        /** @description Saved, and in force once no turn runs. */
                        pending: {
                            env: {
                                [key: string]: string | null;
                            };
                            inferenceMode?: "byok" | "managed" | "auto";
                            plugins: {
                                name: string;
                                disabled: boolean;
                            }[];
                            reload: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    whenBusy?: components["schemas"]["WhenBusy"];
                    harness?: {
                        env?: {
                            [key: string]: string | null;
                        };
                    };
                    provider?: {
                        model?: string;
                        baseURL?: string;
                        inferenceMode?: "byok" | "managed" | "auto";
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiSettings"];
                };
            };
            /** @description Accepted; it is done once no turn runs. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiSettings"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiSkills: {
        parameters: {
            query?: {
                chatId?: string;
                workspaceRoot?: string;
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        skills: {
                            name: string;
                            description: string;
                            folder: string;
                            text?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many read the stream. */
                        clients?: number;
                        remote?: {
                            /** @description How many codes let guests see the window of the desktop app. */
                            codes: number;
                            /** @description How many watch it. */
                            guests: number;
                            /** @description How many of them ask to control it. */
                            asking: number;
                        };
                        busy: boolean;
                        lastTurnEndedAt?: string;
                        activeChatId: string | null;
                        chats: {
                            chatId: string;
                            busy: boolean;
                            turnId?: string;
                            /** @enum {string} */
                            waitingFor?: "model" | "tool" | "approval" | "answer" | "retry";
                            /** @description Since when it waits for that, or is idle. */
                            since: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiStream: {
        parameters: {
            query?: {
                chatId?: string;
                since?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSupport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description The newest recorded turn when left out. */
                    turnId?: string;
                    /** @description Beside the turn; versions and plugins when left out. */
                    parts?: string[];
                    /** @description Words that are to stand nowhere in it. */
                    strike?: string[];
                    /** @description Of the file that was looked through: another one is refused (`changed`). */
                    digest?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        turnId: string;
                        name: string;
                        /** @description All of the file. */
                        text: string;
                        bytes: number;
                        /** @description SHA-256 of the text, in hex. */
                        digest: string;
                        /** @description The turn, run again from its record, is what its journal says, to the byte. */
                        isEqual: boolean;
                        parts: {
                            name: string;
                            title: string;
                            description: string;
                            isIn: boolean;
                            bytes: number;
                            /** @description As it stands in the file, or would. */
                            text: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiSyncHistory: {
        parameters: {
            query: {
                target: "cloud" | "team";
                workspace: string;
                key: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            value: string;
                            updatedAt: string;
                            replacedAt: string;
                            by: {
                                userId: string;
                                email: string;
                            };
                            /** @enum {string} */
                            reason: "newer" | "deleted" | "restored";
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiSyncPreview: {
        parameters: {
            query: {
                target: "cloud" | "team";
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sets: {
                            workspace: string;
                            total: number;
                            characters: number;
                            isAgreed: boolean;
                            refused: {
                                id: string;
                                why: string;
                            }[];
                            notes: {
                                id: string;
                                isDeletion: boolean;
                                characters: number;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSyncRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    target: "cloud" | "team";
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description Only this one of its sets. */
                    workspace?: string;
                    /** @enum {string} */
                    direction?: "pull" | "push" | "both";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sets: components["schemas"]["Sets"][];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSyncSettle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    target: "cloud" | "team";
                    workspace: string;
                    at: string;
                    id: string;
                    /** @enum {string} */
                    side: "here" | "there" | "restored";
                    /** @description The kept text takes the place of what stands; else it is forgotten. */
                    isUsed: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        set: components["schemas"]["Sets"];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiSyncState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        targets: ("cloud" | "team")[];
                        sets: components["schemas"]["Sets"][];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiSyncStop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    target: "cloud" | "team";
                    /** @description The active chat when left out. */
                    chatId?: string;
                    workspace?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTeamBusMessages: {
        parameters: {
            query: {
                workspace: string;
                since: number;
                waitSeconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The next `since`. */
                        upTo: number;
                        messages: {
                            cursor: number;
                            at: string;
                            from: string;
                            key: string;
                            envelope: unknown;
                        }[];
                        /** @description What is no longer kept. */
                        gap?: {
                            from: number;
                            to: number;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiTeamBusMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace: string;
                    key: string;
                    /** @description Any JSON of at most 64 kB. */
                    envelope: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cursor: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTeamBusWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            workspace: string;
                            /** @description Of the newest message. */
                            cursor: number;
                            /** @description Of the newest message. */
                            at: string;
                            /** @description Of its newest messages. */
                            keys: string[];
                        }[];
                        /** @description The role in the organisation allows it. */
                        mayPublish: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTeamNotes: {
        parameters: {
            query: {
                workspace: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        revision: number;
                        /** @description There are more. */
                        isCut: boolean;
                        notes: {
                            key: string;
                            value: string;
                            updatedAt: string;
                            /** @description E-mail of whoever wrote it. */
                            by?: string;
                            isOwn: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    deleteApiTeamNotes: {
        parameters: {
            query: {
                workspace: string;
                key: string;
                revision: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTeamNotesSets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sets: {
                            workspace: string;
                            notes: number;
                        }[];
                        /** @description The role in the organisation allows it. */
                        mayDelete: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTeamPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description waiting: not known yet, so only tools that read run. none: nothing is laid down.
                         * @enum {string}
                         */
                        state: "waiting" | "held" | "none";
                        revision?: number;
                        orgName?: string;
                        /** @description When the control plane last said that it is the newest. */
                        checkedAt?: string;
                        /** @description Why it could not be asked, or what it said was refused. */
                        problem?: string;
                        rules: {
                            blockedTools: {
                                /** @description `everybody`, or the name of a group. */
                                from: string;
                                pattern: string;
                            }[];
                            forcedApprovals: {
                                /** @description `everybody`, or the name of a group. */
                                from: string;
                                pattern: string;
                            }[];
                            allowedModels: {
                                /** @description `everybody`, or the name of a group. */
                                from: string;
                                patterns: string[];
                            }[];
                            spendingCaps: {
                                /** @description `everybody`, or the name of a group. */
                                from: string;
                                of: string;
                                usd: number;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiTokenRotate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTools: {
        parameters: {
            query?: {
                chatId?: string;
                schemas?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tools: {
                            name: string;
                            family: string;
                            plugin: string;
                            description: string;
                            effects: string[];
                            /** @description Whether the model sees it in this chat now. */
                            visible: boolean;
                            /** @description JSON Schema of its arguments, where asked for. */
                            input?: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiTranscribe: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    attachmentId: string;
                    /** @description What is spoken: `en`, `pt-BR`. */
                    language?: string;
                    /** @description Names and words that are likely to be in it. */
                    prompt?: string;
                    timestamps?: "none" | "segment" | "word";
                    chatId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Empty where nobody speaks. */
                        text: string;
                        durationSec: number | null;
                        language: string;
                        /** @description USD; null where nobody knows. */
                        cost: number | null;
                        segments?: {
                            start: number;
                            end: number;
                            text: string;
                        }[];
                        engine: string;
                        model?: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiTts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Markdown; what cannot be said is named or left out. */
                    text: string;
                    voice?: string;
                    /** @description The active chat when left out. */
                    chatId?: string;
                    /** @description false: answers at once; the clips come while they are made. true when left out. */
                    wait?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        clips: {
                            clipId: string;
                            url: string;
                            /** @description As it is said. */
                            text: string;
                            /** @description Null where it is not known, or not yet. */
                            durationSec: number | null;
                            cached: boolean;
                        }[];
                        /** @description USD; null where it is not known, or not yet. */
                        cost: number | null;
                        /** @description Characters of the text that the clips are; where it is more, the rest is for another call. */
                        taken: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiTtsClipClipId: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path: {
                clipId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiTtsHeard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    epoch: number;
                    /** @description The part that was heard last. */
                    seq: number;
                    /** @description Of its text. */
                    heardChars: number;
                    reason: "barge_in" | "stop" | "finished";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ok: boolean;
                        epoch: number;
                        /** @description Something of the epoch that was told of follows that part, as far as the model has written. */
                        more: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    putApiTtsSpeaker: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The active chat when left out. */
                    chatId?: string;
                    speakerId: string;
                    on: boolean;
                    /** @description true: only where nobody else has claimed the chat since. false when left out. */
                    renew?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        speakerId: string | null;
                        epoch: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiUiMessages: {
        parameters: {
            query?: {
                language?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        languages: string[];
                        messages: {
                            [key: string]: string | {
                                zero?: string;
                                one?: string;
                                two?: string;
                                few?: string;
                                many?: string;
                                other: string;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiUiModulesName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiUiPanels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        panels: {
                            id: string;
                            title: string;
                            slot: "panel" | "tool_result" | "note" | "header" | "over-composer" | "composer" | "first-run" | "settings" | "account" | "connections" | "pane";
                            icon?: string;
                            place?: "chats" | "chat";
                            order?: number;
                            tools?: string[];
                            events?: string[];
                            uses?: {
                                routes?: string[];
                                events?: string[];
                            };
                            plugin: string;
                            /** @description Address of the module; its key opens this module, so it is no one else's business. */
                            url: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiUndo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chatId?: string;
                    turnId?: string;
                    /** @description Only these files and this state, as `GET /api/changes` says them (`path`, `id`); without a turn in every turn that changed them. */
                    paths?: string[];
                    /** @description Only these hunks of the one file that `paths` names, as `GET /api/changes` named them for the same `turnId`. */
                    hunks?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiRedo"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiUsage: {
        parameters: {
            query?: {
                since?: string;
                chatId?: string;
                turnId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The newest 1000, newest last. */
                        rows: {
                            at: string;
                            purpose: string;
                            plugin?: string;
                            model: string;
                            chatId?: string;
                            turnId?: string;
                            input: number;
                            output: number;
                            cached: number;
                            cost?: number;
                            /** @description USD by the price of the model, where the provider says none. */
                            estimate?: number;
                        }[];
                        totals: components["schemas"]["Totals"];
                        byChat: components["schemas"]["ByChat"];
                        /** @description The newest 1000. */
                        byTurn: {
                            [key: string]: components["schemas"]["Totals"];
                        };
                        byPurpose: components["schemas"]["ByChat"];
                        byPlugin: components["schemas"]["ByChat"];
                        /** @description Days of UTC. */
                        byDay: {
                            [key: string]: components["schemas"]["Totals"];
                        };
                        /** @description Budgets and what is left of them now, whatever `since` is; with `chatId` those of the chat, too. */
                        caps: {
                            name: string;
                            per: "day" | "chat";
                            /** @description Where it is set: the name of a variable. */
                            source: string;
                            /** @description USD; 0: no limit. */
                            limit: number;
                            /** @description USD of today, or of the chat from its beginning; estimates included. */
                            spent: number;
                            /** @description USD, for calls that are under way. */
                            held: number;
                            /** @description USD; left out without a limit. */
                            left?: number;
                            /** @description ISO 8601; of one for a day. */
                            resetsAt?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        views: {
                            name: string;
                            title: string;
                            plugin: string;
                            description?: string;
                            icon?: string;
                            place?: "page" | "pane" | "none";
                            parameters?: components["schemas"]["Views"];
                            /** @description Events after which it says something else. */
                            changesOn?: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiViewsName: {
        parameters: {
            query?: {
                chatId?: string;
                parameters?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiViewsName"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiViewsNameActionsId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the chat that it is about; the active one when left out. */
                    chatId?: string;
                    /** @description Of an action of rows: which one. */
                    row?: string;
                    /** @description What the action asks for. */
                    input?: {
                        [key: string]: string | number | boolean;
                    };
                    /** @description What the view was read with. */
                    parameters?: {
                        [key: string]: string | number | boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        view: components["schemas"]["ApiViewsName"];
                        /** @description What was done. */
                        message?: string;
                        /** @description Something to be saved where whoever chose the action is. */
                        file?: {
                            name: string;
                            text: string;
                        };
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWhy: {
        parameters: {
            query?: {
                chatId?: string;
                turn?: string;
                call?: string;
                message?: string;
                section?: string;
                note?: string;
                source?: string;
                text?: string;
                of?: "chat";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        title: string;
                        /** @description Sentences for people; they say so where nothing is known. */
                        says: string[];
                        /** @description What it is made of, and who made that so. */
                        parts: {
                            kind: string;
                            text: string;
                            by: string;
                            plugin?: string;
                            hook?: string;
                            asks?: components["schemas"]["Asks"];
                        }[];
                        /** @description Where its words stood before. */
                        sources: {
                            kind: string;
                            ref: string;
                            quote?: string;
                            field?: string;
                            asks?: components["schemas"]["Asks"];
                        }[];
                        /** @description What would not be there without it. */
                        derived: {
                            kind: string;
                            id: string;
                            key: string;
                            scope?: string;
                            where?: string;
                            isYours?: boolean;
                            text: string;
                            how: string;
                        }[];
                        /** @description Of a message or a call: whether the model reads it, or a person took it out. */
                        isRead?: boolean;
                        /** @description Plugins that could not drop what they made of it when a person took it out. */
                        left?: string[];
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWorkspaceCurrent: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        chatId: string;
                        workspaceRoot?: string;
                        workspaceFingerprint?: string;
                        basename: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWorkspaceFile: {
        parameters: {
            query: {
                chatId?: string;
                path: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWorkspaceFolder: {
        parameters: {
            query?: {
                chatId?: string;
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Folders first, 1,000 at most; without links and `.git`. */
                        entries: {
                            name: string;
                            kind: "file" | "folder";
                            /** @description Of a file. */
                            bytes?: number;
                            /** @description .gitignore names it. */
                            isIgnored?: boolean;
                        }[];
                        /** @description How many were left out. */
                        more: number;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWorkspacePaths: {
        parameters: {
            query?: {
                chatId?: string;
                query?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The likeliest first, without what .gitignore names. */
                        paths: string[];
                        /** @description The workspace has more files than are looked at. */
                        isCut: boolean;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiWorkspacePreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chatId?: string;
                    /** @description Relative to the workspace. */
                    path: string;
                    /** @description The scripts that stand in the page itself run, sealed off from everything. */
                    scripts?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description For the frame of a page of this server, for ten minutes. */
                        address: string;
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWorkspacePreviewTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getApiWorkspaceTrust: {
        parameters: {
            query?: {
                chatId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiWorkspaceTrust"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postApiWorkspaceTrust: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    chatId?: string;
                    name: string;
                    digest: string;
                    isTrusted: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiWorkspaceTrust"];
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getAssetsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getRemoteAssetsName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    getRemoteJoin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
    postRemoteJoin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                        role: "view" | "control";
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["Status400"];
            401: components["responses"]["Status401"];
            402: components["responses"]["Status402"];
            403: components["responses"]["Status403"];
            404: components["responses"]["Status404"];
            408: components["responses"]["Status408"];
            409: components["responses"]["Status409"];
            410: components["responses"]["Status410"];
            413: components["responses"]["Status413"];
            415: components["responses"]["Status415"];
            416: components["responses"]["Status416"];
            422: components["responses"]["Status422"];
            429: components["responses"]["Status429"];
            431: components["responses"]["Status431"];
            500: components["responses"]["Status500"];
            502: components["responses"]["Status502"];
            503: components["responses"]["Status503"];
        };
    };
}
