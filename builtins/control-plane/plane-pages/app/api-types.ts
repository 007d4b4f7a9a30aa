// Generated from the served OpenAPI document by `npm run docs:gen`; do not edit.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The dashboard of an organisation. */
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
        /** What browsers look for beside the pages: icons and a manifest. */
        get: operations["getName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, in which organisation, and in which others they are. */
        get: operations["getApiAccountMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes the password, and signs every other browser and device out. */
        post: operations["postApiAccountPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new password by a link, and signs everything out. */
        post: operations["postApiAccountReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/reset/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a link for a new password, where mail is set up and somebody has this address; the answer is always the same. */
        post: operations["postApiAccountResetBegin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the browsers and devices that the person is signed in with. */
        get: operations["getApiAccountSessions"];
        put?: never;
        post?: never;
        /** Signs every other browser and device of the person out. */
        delete: operations["deleteApiAccountSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Signs one browser or device of the person out. */
        delete: operations["deleteApiAccountSessionsId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs a browser in; with an invitation, it is accepted, too. */
        post: operations["postApiAccountSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the session that the request came with. */
        post: operations["postApiAccountSignOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an account: of the first owner, of somebody who was invited, or of anybody where this is open; and signs in. */
        post: operations["postApiAccountSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connect/{provider}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A fresh token of a connected account, for the refresh token that the connection gave to the same person. */
        post: operations["postApiConnectProviderRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connect/{provider}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes the tokens of a connected account back at its provider, where that has a way. */
        post: operations["postApiConnectProviderRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connect/harness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is to be confirmed: which account is signed in where. */
        get: operations["getApiConnectHarness"];
        put?: never;
        /** Confirms the sign-in of a service on the machine of the browser: a license, and the form to hand it over with. */
        post: operations["postApiConnectHarness"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The providers that accounts can be connected at, and which of them the operator set up. */
        get: operations["getApiConnectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connectors/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the client that the operator registered at a provider; the secret is sealed and never told. */
        put: operations["putApiConnectorsProvider"];
        post?: never;
        /** Forgets the client of a provider; accounts that are connected cannot be refreshed any more. */
        delete: operations["deleteApiConnectorsProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in the machine that shows that code, as the person who confirms it. */
        post: operations["postApiDeviceApprove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begins the sign-in of a service that has no browser: a code to show, and one to ask with. */
        post: operations["postApiDeviceCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuses the machine that shows that code. */
        post: operations["postApiDeviceDeny"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Which machine shows that code, and as whom it would be signed in. */
        post: operations["postApiDeviceLook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The license, once the code was confirmed; until then `authorization_pending`. */
        post: operations["postApiDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enterprise/package": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The package published last: its signed manifest, and where its archive is. */
        get: operations["getApiEnterprisePackage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enterprise/package/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The archive of a package, or a part of it. */
        get: operations["getApiEnterprisePackageVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enterprise/self_host/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of the control plane: version, nodes, database, bus and findings. For the organisation that runs it. */
        get: operations["getApiEnterpriseSelfHostStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/enterprise/sso/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether single sign-on is set up, and with which provider, for services. */
        get: operations["getApiEnterpriseSsoConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/receipts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What calls cost and why, newest first: the own ones, of all members for admins. */
        get: operations["getApiInferenceReceipts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A token for calls of a service, which lives for an hour and no longer than its license. */
        post: operations["postApiInferenceSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All entries of a time as CSV or NDJSON; their sum stands in x-hub-total-micro. */
        get: operations["getApiInferenceStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/v1/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Text to speech, paid from the wallet. */
        post: operations["postApiInferenceV1AudioSpeech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/v1/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speech to text, paid from the wallet. */
        post: operations["postApiInferenceV1AudioTranscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A chat completion, as the provider answers it, paid from the wallet. */
        post: operations["postApiInferenceV1ChatCompletions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The models that have a price. */
        get: operations["getApiInferenceV1Models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is in the wallet, in micro-credits. */
        get: operations["getApiInferenceWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/wallet/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Members who may use a part of the wallet only, and how much of it they used. */
        get: operations["getApiInferenceWalletMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inference/wallet/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** How much of the wallet a member may use in a period. */
        put: operations["putApiInferenceWalletMembersUserId"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accepts an invitation as the person who is signed in, and works in that organisation from then on. */
        post: operations["postApiInvitesAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invites/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Says to what an invitation invites. */
        post: operations["postApiInvitesLook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public key that services check licenses of this plane against. */
        get: operations["getApiLicenseKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same license for another 30 days, with role and plan of now; takes one that ran out up to 14 days ago, too. */
        post: operations["postApiLicenseRenew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/license/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes back the license that the request carries: a service signs out. */
        post: operations["postApiLicenseRevoke"];
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
    "/api/operator/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all organisations with their plans, by name; for owners of the one that runs the control plane. */
        get: operations["getApiOperatorOrgs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the organisations of the person. */
        get: operations["getApiOrgs"];
        put?: never;
        /** Makes an organisation of which the person is the owner. */
        post: operations["postApiOrgs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the invitations that still work. */
        get: operations["getApiOrgsIdInvites"];
        put?: never;
        /** Invites somebody: a link that works once within 7 days, and a mail where it names an address and mail is set up. */
        post: operations["postApiOrgsIdInvites"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes an invitation back. */
        delete: operations["deleteApiOrgsIdInvitesInviteId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the own membership; the last owner stays. */
        post: operations["postApiOrgsIdLeave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the members of the organisation, with what they are signed in with. */
        get: operations["getApiOrgsIdMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a member, and ends what they are signed in with for this organisation. */
        delete: operations["deleteApiOrgsIdMembersUserId"];
        options?: never;
        head?: never;
        /** Changes the role of a member; only owners do this with owners. */
        patch: operations["patchApiOrgsIdMembersUserId"];
        trace?: never;
    };
    "/api/orgs/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets tier, seats and the cap of the wallet of any organisation; for owners of the one that runs the control plane. */
        put: operations["putApiOrgsIdPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the organisation signs in by its identity provider. */
        get: operations["getApiOrgsIdSso"];
        /** Sets the identity provider of the organisation, and the domains of its people; who came by another one has to come again. */
        put: operations["putApiOrgsIdSso"];
        post?: never;
        /** Takes the identity provider of the organisation away; whoever came by it signs in with a password from then on. */
        delete: operations["deleteApiOrgsIdSso"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/sso/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks the identity provider that is set, switched on or not, whether it is there and describes itself as it should. */
        post: operations["postApiOrgsIdSsoTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orgs/{id}/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes it the organisation that the browser works in. */
        post: operations["postApiOrgsIdSwitch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pro/cloud_sync/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed in a person's own notes since a revision. */
        get: operations["getApiProCloudSyncNotes"];
        /** Changes a person's own notes: all of it, or nothing where others changed one of these since. */
        put: operations["putApiProCloudSyncNotes"];
        post?: never;
        /** Takes a person's own notes off this plane, for one workspace or all; copies elsewhere stay. */
        delete: operations["deleteApiProCloudSyncNotes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pro/cloud_sync/notes/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All notes, a JSON document a line. */
        get: operations["getApiProCloudSyncNotesExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pro/cloud_sync/notes/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a note was in the last 30 days, and who wrote it. */
        get: operations["getApiProCloudSyncNotesHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pro/cloud_sync/notes/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** For which workspaces there are notes. */
        get: operations["getApiProCloudSyncNotesSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pro/session_history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds lines by their words, or reads a session. */
        get: operations["getApiProSessionHistory"];
        put?: never;
        /** Keeps the next lines of a session; the same ones again are kept once. */
        post: operations["postApiProSessionHistory"];
        /** Takes one session off this plane, or all of them. */
        delete: operations["deleteApiProSessionHistory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pro/session_history/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sessions that the person keeps here, those that something was added to last first. */
        get: operations["getApiProSessionHistorySessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/frames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The newest sealed frame for a guest, in place of the one before; it is kept in memory until the guest has it. */
        post: operations["postApiRemoteFrames"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sealed inputs, at most 64 at once, each after its length (4 bytes, the greatest first). */
        post: operations["postApiRemoteInput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Waits up to 25 s for sealed inputs of guests, and for guests that have what was sent; 204 where there is no guest. */
        get: operations["getApiRemoteInputs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Joins a remote session by its code and a proof of the secret of the link; a few wrong proofs end the code. */
        post: operations["postApiRemoteJoin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the seat of this guest. */
        post: operations["postApiRemoteLeave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest sealed frame after the one the guest has; 204 after 25 s. Whoever polls again ends the poll before. */
        get: operations["getApiRemotePoll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a remote session at the relay: guests come by its code, and show that they have the secret of the link. */
        post: operations["postApiRemoteSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a remote session and lets its guests go. */
        delete: operations["deleteApiRemoteSessionsSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/remote/sessions/{session}/guests/{guest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Lets one guest go. */
        delete: operations["deleteApiRemoteSessionsSessionGuestsGuest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the browser to the identity provider of an organisation, by its id or by an e-mail address of a domain that it proved. */
        get: operations["getApiSsoBegin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the identity provider sends the browser back to: it is signed in then, or the account connected. */
        get: operations["getApiSsoCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organisations of the person that have single sign-on, and whether it is connected with the account. */
        get: operations["getApiSsoLinks"];
        put?: never;
        /** Begins to connect the single sign-on of an organisation with the account: where the browser has to go. */
        post: operations["postApiSsoLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sso/links/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Parts the single sign-on of an organisation from the account, and ends the sessions that came by it. */
        delete: operations["deleteApiSsoLinksOrgId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/audit/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The audit log, a page at a time. */
        get: operations["getApiTeamAuditEvents"];
        put?: never;
        /** Stores what a service did; an event that was stored before is not stored again. */
        post: operations["postApiTeamAuditEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole audit log, a JSON document a line. */
        get: operations["getApiTeamAuditExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/audit/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The kinds of acts that stand in the audit log. */
        get: operations["getApiTeamAuditKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/audit/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How long the audit log is kept. */
        get: operations["getApiTeamAuditRetention"];
        /** Says how long the audit log is kept. */
        put: operations["putApiTeamAuditRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the lines of the audit log are those that were written. */
        get: operations["getApiTeamAuditVerify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/bus/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publishes a message to the organisation, and answers its cursor once it is committed. */
        post: operations["postApiTeamBusPublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/bus/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the messages of a workspace as they come (server-sent events), each once and in order. */
        get: operations["getApiTeamBusSubscribe"];
        put?: never;
        post?: never;
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
        /** Where something was said on the bus, the newest first; at most 200. */
        get: operations["getApiTeamBusWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sends the revisions of policy, fleet configuration and membership, now and when they change (server-sent events). */
        get: operations["getApiTeamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/fleet/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fleet configuration of the organisation, signed. */
        get: operations["getApiTeamFleetConfig"];
        /** Replaces the fleet configuration; refused where somebody else has changed it meanwhile. */
        put: operations["putApiTeamFleetConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/fleet/config/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who changed the fleet configuration, when and what, newest first. */
        get: operations["getApiTeamFleetConfigHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/fleet/config/history/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An earlier version of the fleet configuration. */
        get: operations["getApiTeamFleetConfigHistoryRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/fleet/config/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whom another fleet configuration would touch, and how; changes nothing. */
        post: operations["postApiTeamFleetConfigPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/fleet/config/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an earlier version of the fleet configuration the newest one. */
        post: operations["postApiTeamFleetConfigRollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/memory/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed in the organisation's notes since a revision. */
        get: operations["getApiTeamMemoryNotes"];
        /** Changes the organisation's notes: all of it, or nothing where others changed one of these since. */
        put: operations["putApiTeamMemoryNotes"];
        post?: never;
        /** Takes the organisation's notes off this plane, for one workspace or all; copies elsewhere stay. */
        delete: operations["deleteApiTeamMemoryNotes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/memory/notes/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All notes, a JSON document a line. */
        get: operations["getApiTeamMemoryNotesExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/memory/notes/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a note was in the last 30 days, and who wrote it. */
        get: operations["getApiTeamMemoryNotesHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/memory/notes/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** For which workspaces there are notes. */
        get: operations["getApiTeamMemoryNotesSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/org/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the members of the organisation, for services. */
        get: operations["getApiTeamOrgMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/org/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes the role of a member of the own organisation, from a browser session; only owners do this with owners. */
        patch: operations["patchApiTeamOrgMembersUserId"];
        trace?: never;
    };
    "/api/team/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The policy of the organisation, signed. */
        get: operations["getApiTeamPolicy"];
        /** Replaces the policy; refused where somebody else has changed it meanwhile. */
        put: operations["putApiTeamPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/policy/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who changed the policy, when and what, newest first. */
        get: operations["getApiTeamPolicyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/policy/history/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An earlier version of the policy. */
        get: operations["getApiTeamPolicyHistoryRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/policy/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whom another policy would touch, and how; changes nothing. */
        post: operations["postApiTeamPolicyPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/team/policy/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes an earlier version of the policy the newest one. */
        post: operations["postApiTeamPolicyRollback"];
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
        /** A script or style sheet of the pages. */
        get: operations["getAssetsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Asks the person whether a service on their machine may connect an account; changes nothing. */
        get: operations["getConnectProvider"];
        put?: never;
        /** The person agreed: leads on to the provider. */
        post: operations["postConnectProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The way back from the provider: takes the tokens and hands them to the service through the page. */
        get: operations["getConnectProviderCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connect/harness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirms the sign-in of a service on the same machine, and hands the license over to it. */
        get: operations["getConnectHarness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirms a service that shows a code. */
        get: operations["getDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive. */
        get: operations["getHealthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/join/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page of a guest of a remote session. */
        get: operations["getJoinCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/join/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The script or the style sheet of that page. */
        get: operations["getJoinAssetsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures of this node as Prometheus reads them: for programs on this machine, or with HUB_METRICS_TOKEN. */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phone/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page for a paired device, which reaches its computer through the relay. */
        get: operations["getPhoneCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/phone/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A script, style sheet or font of that page. */
        get: operations["getPhoneAssetsName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be served: what every request needs is there. What is wrong with it stands in the log. */
        get: operations["getReadyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sets a new password, by a link that the operator gave out. */
        get: operations["getReset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signs in with a password or by single sign-on. */
        get: operations["getSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Makes an account: the first one by the set-up address, others by an invitation. */
        get: operations["getSignUp"];
        put?: never;
        post?: never;
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
        ApiAccountMe: {
            person: {
                id: string;
                email: string;
            };
            organisation: components["schemas"]["Organisation"];
            organisations: components["schemas"]["Organisations"][];
            via: "session" | "license";
        };
        Organisation: components["schemas"]["Organisation2"] | null;
        Organisation2: {
            id: string;
            name: string;
            tier: "community" | "pro" | "team" | "enterprise";
            seats: number;
            role: "viewer" | "member" | "admin" | "owner";
            entitlements: string[];
            /** @description Its owners run this control plane. */
            operates: boolean;
        };
        Organisations: {
            id: string;
            name: string;
            tier: "community" | "pro" | "team" | "enterprise";
            seats: number;
            role: "viewer" | "member" | "admin" | "owner";
        };
        Invites: {
            id: string;
            role: "viewer" | "member" | "admin" | "owner";
            email?: string;
            invitedBy?: string;
            /** Format: date-time */
            madeAt: string;
            /** Format: date-time */
            endsAt: string;
        };
        ApiOrgsIdMembers: {
            members: components["schemas"]["Members"][];
        };
        Members: {
            id: string;
            email: string;
            role: "viewer" | "member" | "admin" | "owner";
            /** Format: date-time */
            joinedAt: string;
            /** Format: date-time */
            seenAt?: string;
            devices: components["schemas"]["Devices"][];
        };
        Devices: {
            id: string;
            via: "session" | "license";
            name?: string;
            /** Format: date-time */
            seenAt?: string;
        };
        ApiOrgsIdMembersUserId: {
            role: "viewer" | "member" | "admin" | "owner";
        };
        ApiOrgsIdSso: {
            enabled: boolean;
            issuer: string;
            clientId: string;
            /** @description It is told to nobody again. */
            hasSecret: boolean;
            domains: components["schemas"]["Domains"][];
            /** @description For the provider. */
            redirectUri: string;
            /** @description Where members begin. */
            signInUrl: string;
        };
        Domains: {
            domain: string;
            /** @description By the operator; people with a verified address of it join by themselves. */
            proven: boolean;
        };
        ApiProCloudSyncNotes: {
            revision: number;
            mark?: string;
            /** @description Deletions up to this revision are forgotten. */
            horizon: number;
            horizonAt?: string;
            at: string;
            /** @description This is the whole set: since is none of its revisions, or before its horizon. */
            reset: boolean;
            /** @constant */
            emptied?: true;
            /** @constant */
            more?: true;
            notes: components["schemas"]["Notes"][];
            tombstones: components["schemas"]["Tombstones"][];
        };
        Notes: {
            /** @description type:key */
            key: string;
            value: string;
            /** @description ISO 8601 UTC. */
            updatedAt: string;
            source?: {
                kind: string;
                ref: string;
            };
            confidence?: number;
            links?: string[];
            revision: number;
            by?: {
                userId: string;
                email: string;
            };
        };
        Tombstones: {
            /** @description type:key */
            key: string;
            /** @description ISO 8601 UTC. */
            deletedAt: string;
            revision: number;
            by?: {
                userId: string;
                email: string;
            };
        };
        ApiProCloudSyncNotes2: {
            /** @description Of this copy, for as long as it lives. */
            clientId: string;
            /** @description Counts up; sent again with the same number, a change is made once. */
            mutationId: number;
            /** @description The revision up to which the copy has read. */
            base: number;
            mark?: string;
            /**
             * @description chat is refused: such notes stay in their chat.
             * @enum {string}
             */
            scope?: "global" | "workspace" | "chat";
            upserts: components["schemas"]["Upserts"][];
            tombstones: components["schemas"]["Tombstones2"][];
        };
        Upserts: {
            /** @description type:key */
            key: string;
            value: string;
            /** @description ISO 8601 UTC. */
            updatedAt: string;
            source?: {
                kind: string;
                ref: string;
            };
            confidence?: number;
            links?: string[];
        };
        Tombstones2: {
            /** @description type:key */
            key: string;
            /** @description ISO 8601 UTC. */
            deletedAt: string;
        };
        ApiProCloudSyncNotes3: {
            revision: number;
            mark?: string;
            rows: components["schemas"]["Rows"][];
        };
        Rows: components["schemas"]["Notes"] | components["schemas"]["Tombstones"];
        ApiProCloudSyncNotesHistory: {
            versions: components["schemas"]["Versions"][];
        };
        Versions: {
            value: string;
            updatedAt: string;
            replacedAt: string;
            by: {
                userId: string;
                email: string;
            };
            /** @enum {string} */
            reason: "newer" | "deleted" | "restored";
        };
        ApiProCloudSyncNotesSets: {
            sets: {
                workspace: string;
                revision: number;
                notes: number;
            }[];
        };
        Config: {
            harness?: components["schemas"]["Harness"];
        };
        Harness: {
            /** @description Variable → text. */
            env?: {
                [key: string]: string;
            };
        };
        ApiTeamFleetConfigHistory: {
            versions: components["schemas"]["Versions2"][];
            before?: number;
        };
        Versions2: {
            revision: number;
            by: {
                userId: string;
                email: string;
            };
            at: string;
            differences: {
                path: string;
                before?: unknown;
                after?: unknown;
            }[];
        };
        ApiTeamFleetConfigRollback: {
            /** @description The revision that was changed; 0 for the first one. */
            base: number;
            /** @description Its contents are written again, as a new revision. */
            to: number;
        };
        Policy: {
            /** @description Names of tools that never run. `*` stands for any text. */
            blockedTools?: string[];
            /** @description Names of tools that a person approves each time, whatever else is set. `*` stands for any text. */
            forcedApprovals?: string[];
            /** @description The only models that may answer. `*` stands for any text. */
            allowedModels?: string[];
            spendingCaps?: components["schemas"]["SpendingCaps"];
            groups?: components["schemas"]["Groups"][];
        };
        /** @description USD. */
        SpendingCaps: {
            perDay?: number;
            perChat?: number;
            purposes?: components["schemas"]["Purposes"];
        };
        Purposes: {
            chat?: number;
            task?: number;
            memory?: number;
            heartbeat?: number;
            dream?: number;
            voice?: number;
        };
        Groups: {
            name: string;
            match: components["schemas"]["Match"];
            /** @description Names of tools that never run. `*` stands for any text. */
            blockedTools?: string[];
            /** @description Names of tools that a person approves each time, whatever else is set. `*` stands for any text. */
            forcedApprovals?: string[];
            /** @description The only models that may answer. `*` stands for any text. */
            allowedModels?: string[];
            spendingCaps?: components["schemas"]["SpendingCaps"];
        };
        Match: {
            roles?: ("viewer" | "member" | "admin" | "owner")[];
            /** @description E-mail addresses. */
            people?: string[];
        };
        ConnectProvider: {
            state: string;
            mode?: "read_write" | "read_only";
            redirect_uri: string;
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
    getApiAccountMe: {
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
                    "application/json": components["schemas"]["ApiAccountMe"];
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
    postApiAccountPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current: string;
                    password: string;
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
    postApiAccountReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
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
    postApiAccountResetBegin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
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
    getApiAccountSessions: {
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
                        sessions: {
                            id: string;
                            via: "session" | "license";
                            orgId?: string;
                            /** @description As the browser or device names itself. */
                            name?: string;
                            /** @description Address that it was seen at. */
                            peer?: string;
                            /** Format: date-time */
                            madeAt: string;
                            /** Format: date-time */
                            seenAt?: string;
                            /** @description The one that this request came with. */
                            current: boolean;
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
    deleteApiAccountSessions: {
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
    deleteApiAccountSessionsId: {
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
    postApiAccountSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    invite?: string;
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
                    "application/json": components["schemas"]["ApiAccountMe"];
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
    postApiAccountSignOut: {
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
    postApiAccountSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    orgName?: string;
                    /** @description Of the address that the first start prints: makes the first owner. */
                    setup?: string;
                    /** @description Of an invitation. */
                    invite?: string;
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
                    "application/json": components["schemas"]["ApiAccountMe"];
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
    postApiConnectProviderRefresh: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken: string;
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
                        accessToken: string;
                        /** @description In the place of the one before, which is good no longer; left out where that one stays good. */
                        refreshToken?: string;
                        expiresAt?: string;
                        scopes?: string[];
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
    postApiConnectProviderRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken?: string;
                    accessToken?: string;
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
                        /** @description The provider says so. Not every provider has a way. */
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
    getApiConnectHarness: {
        parameters: {
            query: {
                state: string;
                redirectUri: string;
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
                        email: string;
                        orgId: string;
                        organisations: {
                            id: string;
                            name: string;
                            tier: string;
                        }[];
                        /** @description Host and port that the license goes to. */
                        target: string;
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
    postApiConnectHarness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The one-time state of the sign-in, as the service made it. */
                    state: string;
                    /** @description The callback of the service that asks, on the machine of the browser. */
                    redirectUri: string;
                    /** @description For which organisation; the one of the session when left out. */
                    orgId?: string;
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
                        /** @description Where the fields go, as a form that is posted. */
                        action: string;
                        fields: {
                            token: string;
                            state: string;
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
    getApiConnectors: {
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
                        connectors: {
                            id: string;
                            title: string;
                            isSetUp: boolean;
                            canRevoke: boolean;
                            /** @description For the operator alone. */
                            clientId?: string;
                            /** @description What the operator registers at the provider. */
                            callbackUrl: string;
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
    putApiConnectorsProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    clientId: string;
                    /** @description The one before when left out. */
                    clientSecret?: string;
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
    deleteApiConnectorsProvider: {
        parameters: {
            query?: never;
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
    postApiDeviceApprove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    userCode: string;
                    /** @description For which organisation; the one of the session when left out. */
                    orgId?: string;
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
    postApiDeviceCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the machine is called. */
                    device?: string;
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
                        deviceCode: string;
                        userCode: string;
                        verificationUrl: string;
                        interval: number;
                        expiresIn: number;
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
    postApiDeviceDeny: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    userCode: string;
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
    postApiDeviceLook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    userCode: string;
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
                        email: string;
                        orgId: string;
                        organisations: {
                            id: string;
                            name: string;
                            tier: string;
                        }[];
                        device?: string;
                        peer: string;
                        madeAt: string;
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
    postApiDeviceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    deviceCode: string;
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
                        tier: string;
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
    getApiEnterprisePackage: {
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
                        version: string;
                        sha256: string;
                        /** @description Bytes of the archive. */
                        size: number;
                        /** @description Compact JWS of type package+jws: version, sha256, size, minVersion?, rollback?. */
                        manifest: string;
                        /** @description Path of the archive. */
                        archive: string;
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
    getApiEnterprisePackageVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                version: string;
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
                    "application/zip": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
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
    getApiEnterpriseSelfHostStatus: {
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
                        version: string;
                        nodes: {
                            nodeId: string;
                            host: string;
                            version: string;
                            startedAt: string;
                            seenAt: string;
                            skewMs: number;
                            isThis: boolean;
                        }[];
                        database: {
                            kind: string;
                            version: string;
                            migrations: number;
                        };
                        bus: {
                            state: string;
                        };
                        findings: {
                            name: string;
                            state: string;
                            message: string;
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
    getApiEnterpriseSsoConfig: {
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
                        enabled: boolean;
                        issuer: string;
                        clientId: string;
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
    getApiInferenceReceipts: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
                from?: string;
                to?: string;
                userId?: string;
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
                        receipts: {
                            id: number;
                            call: string;
                            at: string;
                            userId: string;
                            requestId: string;
                            kind: string;
                            model: string;
                            purpose: string;
                            heldMicro: number;
                            amountMicro: number;
                            uncoveredMicro: number;
                            inputTokens: number | null;
                            cachedTokens: number | null;
                            outputTokens: number | null;
                            units: number | null;
                            /** @description usage: tokens as told; cost: as the provider charges; estimate: by what was delivered. */
                            basis: string;
                            /** @description complete, cut (by the provider), left (by the caller), expired (a node ended). */
                            outcome: string;
                            priceId: number;
                        }[];
                        cursor?: number;
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
    postApiInferenceSession: {
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
                        /** @description Good for the routes below baseURL alone. */
                        token: string;
                        /** @description ISO 8601. */
                        expiresAt: string;
                        /** @description Root of an endpoint that speaks chat completions. */
                        baseURL: string;
                        /** @description Those that chat and have a price. */
                        models: string[];
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
    getApiInferenceStatement: {
        parameters: {
            query?: {
                format?: "csv" | "ndjson";
                from?: string;
                to?: string;
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
    postApiInferenceV1AudioSpeech: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            200: {
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
    postApiInferenceV1AudioTranscriptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            200: {
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
    postApiInferenceV1ChatCompletions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. */
            200: {
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
    getApiInferenceV1Models: {
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
                        /** @constant */
                        object: "list";
                        data: {
                            id: string;
                            /** @constant */
                            object: "model";
                            created: number;
                            owned_by: string;
                            /** @description Credits for one token. */
                            pricing?: {
                                prompt: string;
                                completion: string;
                                input_cache_read?: string;
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
    getApiInferenceWallet: {
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
                        capMicro: number;
                        usedMicro: number;
                        heldMicro: number;
                        remainingMicro: number;
                        /** @description ISO 8601. */
                        periodStart: string;
                        /** @description ISO 8601; null where the period does not end. */
                        periodEnd: string | null;
                        /** @description So much of the cap is used, in percent. */
                        warning: 80 | 95 | null;
                        /** @description The own share, where a member has one. */
                        member: {
                            capMicro: number;
                            usedMicro: number;
                            heldMicro: number;
                            remainingMicro: number;
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
    getApiInferenceWalletMembers: {
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
                        /** @description Those who have a cap of their own. */
                        members: {
                            userId: string;
                            capMicro: number;
                            usedMicro: number;
                            heldMicro: number;
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
    putApiInferenceWalletMembersUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description null takes the cap away. */
                    capMicro: number | null;
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
    postApiInvitesAccept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
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
    postApiInvitesLook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
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
                        organisation: string;
                        role: "viewer" | "member" | "admin" | "owner";
                        email?: string;
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
    getApiLicenseKey: {
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
                        /** @description PEM (SPKI), Ed25519. */
                        publicKey: string;
                        /** @description What people compare: `SHA256:…`. */
                        fingerprint: string;
                        /** @description Lines for the file `.env` of a service. */
                        environment: string;
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
    postApiLicenseRenew: {
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
                        tier: string;
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
    postApiLicenseRevoke: {
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
    getApiOperatorOrgs: {
        parameters: {
            query?: {
                q?: string;
                cursor?: string;
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
                        organisations: {
                            id: string;
                            name: string;
                            tier: "community" | "pro" | "team" | "enterprise";
                            seats: number;
                            members: number;
                            /** @description Its owners run this control plane. */
                            operates: boolean;
                            /** @description In micro-credits, a period. */
                            walletCapMicro?: number;
                            walletUsedMicro?: number;
                        }[];
                        cursor?: string;
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
    getApiOrgs: {
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
                        organisations: components["schemas"]["Organisations"][];
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
    postApiOrgs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
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
                    "application/json": components["schemas"]["Organisations"];
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
    getApiOrgsIdInvites: {
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
                        invites: components["schemas"]["Invites"][];
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
    postApiOrgsIdInvites: {
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
                    role: "viewer" | "member" | "admin" | "owner";
                    email?: string;
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
                        invite: components["schemas"]["Invites"];
                        /** @description Told only now. */
                        link: string;
                        /** @description It was sent to the address, too. */
                        mailed: boolean;
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
    deleteApiOrgsIdInvitesInviteId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                inviteId: string;
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
    postApiOrgsIdLeave: {
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
    getApiOrgsIdMembers: {
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
                    "application/json": components["schemas"]["ApiOrgsIdMembers"];
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
    deleteApiOrgsIdMembersUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
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
    patchApiOrgsIdMembersUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiOrgsIdMembersUserId"];
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
    putApiOrgsIdPlan: {
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
                    tier: "community" | "pro" | "team" | "enterprise";
                    seats: number;
                    /** @description In credits (1 = 1 USD) a period; left out, it stays as it is. */
                    walletCap?: number;
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
    getApiOrgsIdSso: {
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
                    "application/json": components["schemas"]["ApiOrgsIdSso"];
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
    putApiOrgsIdSso: {
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
                    enabled: boolean;
                    issuer: string;
                    clientId: string;
                    /** @description Left out, it stays; empty, it goes. */
                    clientSecret?: string;
                    domains: string[];
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
                    "application/json": components["schemas"]["ApiOrgsIdSso"];
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
    deleteApiOrgsIdSso: {
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
                    "application/json": components["schemas"]["ApiOrgsIdSso"];
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
    postApiOrgsIdSsoTest: {
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
                        /** @description Where it sends people to sign in. */
                        signInAt: string;
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
    postApiOrgsIdSwitch: {
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
    getApiProCloudSyncNotes: {
        parameters: {
            query: {
                workspace: string;
                scope?: "global" | "workspace" | "chat";
                since?: number;
                mark?: string;
                whole?: boolean;
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
                    "application/json": components["schemas"]["ApiProCloudSyncNotes"];
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
    putApiProCloudSyncNotes: {
        parameters: {
            query: {
                workspace: string;
                scope?: "global" | "workspace" | "chat";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiProCloudSyncNotes2"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiProCloudSyncNotes3"];
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
    deleteApiProCloudSyncNotes: {
        parameters: {
            query?: {
                workspace?: string;
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
                        /** @description Notes, and marks of deletions. */
                        removed: number;
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
    getApiProCloudSyncNotesExport: {
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
                    "application/x-ndjson": unknown;
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
    getApiProCloudSyncNotesHistory: {
        parameters: {
            query: {
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
                    "application/json": components["schemas"]["ApiProCloudSyncNotesHistory"];
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
    getApiProCloudSyncNotesSets: {
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
                    "application/json": components["schemas"]["ApiProCloudSyncNotesSets"];
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
    getApiProSessionHistory: {
        parameters: {
            query?: {
                q?: string;
                sessionId?: string;
                cursor?: string;
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
                        hits?: {
                            sessionId: string;
                            line: number;
                            at: string;
                            excerpt: string;
                        }[];
                        lines?: string[];
                        total?: number;
                        nextSeq?: number;
                        cursor?: string | number;
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
    postApiProSessionHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    sessionId: string;
                    /** @description Counts up from 0. */
                    seq: number;
                    lines: string[];
                    /** @description Of the lines joined by LF. */
                    sha256: string;
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
                        stored: number;
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
    deleteApiProSessionHistory: {
        parameters: {
            query?: {
                sessionId?: string;
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
                        removed: number;
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
    getApiProSessionHistorySessions: {
        parameters: {
            query?: {
                cursor?: string;
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
                        sessions: {
                            sessionId: string;
                            lines: number;
                            /** @description When something was added last. */
                            at: string;
                        }[];
                        cursor?: string;
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
    postApiRemoteFrames: {
        parameters: {
            query: {
                session: string;
                guest: string;
                number: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": unknown;
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
                        /** @description The newest frame that the guest has. */
                        has: number;
                        /** @description The guest asks for the next one at this moment. */
                        isWaiting: boolean;
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
    postApiRemoteInput: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": unknown;
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
                        /** @description How many of them are new and wait for the host; the others are to be sent again. */
                        kept: number;
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
    getApiRemoteInputs: {
        parameters: {
            query: {
                session: string;
                knowsBurned?: "yes";
                known?: string;
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
                    "application/json": unknown;
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
    postApiRemoteJoin: {
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
                    /** @description Derived from the secret of the link, of which it says nothing. */
                    proof: string;
                    /** @description Drawn by the guest: 16 random bytes as base64url. */
                    guest: string;
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
                        /** @description Bearer token of this guest. */
                        token: string;
                        session: string;
                        role: string;
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
    postApiRemoteLeave: {
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
    getApiRemotePoll: {
        parameters: {
            query: {
                after: number;
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
    postApiRemoteSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What stands in the address of the guests. */
                    code: string;
                    /** @description SHA-256 of the proof that guests show. */
                    proofHash: string;
                    /** @description `page`: the guest is a paired device that runs the page; its host may open the code again, and takes the place of what was open. */
                    role: "view" | "control" | "page";
                    /** @description How long the code counts. */
                    ttlMs: number;
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
                        session: string;
                        code: string;
                        /** @description The page of its guests; the host adds the secret behind #, which no server sees. */
                        url: string;
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
    deleteApiRemoteSessionsSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
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
    deleteApiRemoteSessionsSessionGuestsGuest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
                guest: string;
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
    getApiSsoBegin: {
        parameters: {
            query?: {
                org?: string;
                email?: string;
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
    getApiSsoCallback: {
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
    getApiSsoLinks: {
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
                        links: {
                            orgId: string;
                            orgName: string;
                            issuer: string;
                            connected: boolean;
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
    postApiSsoLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    orgId: string;
                    /** @description Of the account. */
                    password: string;
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
                        /** @description Of the identity provider. */
                        url: string;
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
    deleteApiSsoLinksOrgId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
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
    getApiTeamAuditEvents: {
        parameters: {
            query?: {
                since?: string;
                kind?: string;
                limit?: number;
                order?: "oldest" | "newest";
                cursor?: number;
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
                        events: {
                            id: string;
                            kind: string;
                            at: string;
                            chatId?: string;
                            turnId?: string;
                            /** @description Small facts, no text of a conversation; 16384 bytes. */
                            metrics?: {
                                [key: string]: unknown;
                            };
                            /** @description Counts up by one. */
                            seq: number;
                            /**
                             * @description Who says so: the control plane, or the service of a member.
                             * @enum {string}
                             */
                            source: "plane" | "service";
                            userId?: string;
                            receivedAt: string;
                            /** @description SHA-256 over this line and the hash of the one before. */
                            hash: string;
                        }[];
                        /** @description Of the next page; left out on the last one. */
                        cursor?: number;
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
    postApiTeamAuditEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    events: {
                        id: string;
                        kind: string;
                        at: string;
                        chatId?: string;
                        turnId?: string;
                        /** @description Small facts, no text of a conversation; 16384 bytes. */
                        metrics?: {
                            [key: string]: unknown;
                        };
                    }[];
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
                        stored: number;
                        /** @description They were there already. */
                        duplicates: number;
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
    getApiTeamAuditExport: {
        parameters: {
            query?: {
                since?: string;
                kind?: string;
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
                    "application/x-ndjson": unknown;
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
    getApiTeamAuditKinds: {
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
                        kinds: string[];
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
    getApiTeamAuditRetention: {
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
                        /** @description Days; `null` for ever. */
                        days: number | null;
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
    putApiTeamAuditRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Days; `null` for ever. */
                    days: number | null;
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
                        /** @description Days; `null` for ever. */
                        days: number | null;
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
    getApiTeamAuditVerify: {
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
                        events: number;
                        /** @description Hash of the newest line. */
                        head?: string;
                        /** @description The first line that does not fit. */
                        brokenAt?: number;
                        why?: string;
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
    postApiTeamBusPublish: {
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
                    /** @description Any JSON of at most 65536 bytes. */
                    envelope: unknown;
                    clientId: string;
                    /** @description The same of a client is published once. */
                    mutationId: number | string;
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
                        /** @description Counts up from 1 in its workspace. */
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
    getApiTeamBusSubscribe: {
        parameters: {
            query: {
                workspace: string;
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
                            /** @description That are kept. */
                            messages: number;
                            /** @description Of the newest one, ISO 8601. */
                            at: string;
                            /** @description Of its newest messages. */
                            keys: string[];
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
    getApiTeamChanges: {
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
    getApiTeamFleetConfig: {
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
                        revision: number;
                        config: components["schemas"]["Config"];
                        /** @description Compact JWS of type fleet+jws. */
                        signature: string;
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
    putApiTeamFleetConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The revision that was changed; 0 for the first one. */
                    base: number;
                    config: components["schemas"]["Config"];
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
                        revision: number;
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
    getApiTeamFleetConfigHistory: {
        parameters: {
            query?: {
                before?: number;
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
                    "application/json": components["schemas"]["ApiTeamFleetConfigHistory"];
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
    getApiTeamFleetConfigHistoryRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                revision: number;
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
                        revision: number;
                        config: components["schemas"]["Config"];
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
    postApiTeamFleetConfigPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    config: components["schemas"]["Config"];
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
                        /** @description Members for whom something changes. */
                        affects: number;
                        /** @description All members. */
                        of: number;
                        differences: {
                            path: string;
                            before?: unknown;
                            after?: unknown;
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
    postApiTeamFleetConfigRollback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiTeamFleetConfigRollback"];
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
                        revision: number;
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
    getApiTeamMemoryNotes: {
        parameters: {
            query: {
                workspace: string;
                scope?: "global" | "workspace" | "chat";
                since?: number;
                mark?: string;
                whole?: boolean;
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
                    "application/json": components["schemas"]["ApiProCloudSyncNotes"];
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
    putApiTeamMemoryNotes: {
        parameters: {
            query: {
                workspace: string;
                scope?: "global" | "workspace" | "chat";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiProCloudSyncNotes2"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiProCloudSyncNotes3"];
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
    deleteApiTeamMemoryNotes: {
        parameters: {
            query?: {
                workspace?: string;
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
                        /** @description Notes, and marks of deletions. */
                        removed: number;
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
    getApiTeamMemoryNotesExport: {
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
                    "application/x-ndjson": unknown;
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
    getApiTeamMemoryNotesHistory: {
        parameters: {
            query: {
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
                    "application/json": components["schemas"]["ApiProCloudSyncNotesHistory"];
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
    getApiTeamMemoryNotesSets: {
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
                    "application/json": components["schemas"]["ApiProCloudSyncNotesSets"];
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
    getApiTeamOrgMembers: {
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
                    "application/json": components["schemas"]["ApiOrgsIdMembers"];
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
    patchApiTeamOrgMembersUserId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiOrgsIdMembersUserId"];
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
                        revision: number;
                        policy: components["schemas"]["Policy"];
                        /** @description Compact JWS of type policy+jws. */
                        signature: string;
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
    putApiTeamPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The revision that was changed; 0 for the first one. */
                    base: number;
                    policy: components["schemas"]["Policy"];
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
                        revision: number;
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
    getApiTeamPolicyHistory: {
        parameters: {
            query?: {
                before?: number;
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
                    "application/json": components["schemas"]["ApiTeamFleetConfigHistory"];
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
    getApiTeamPolicyHistoryRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                revision: number;
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
                        revision: number;
                        policy: components["schemas"]["Policy"];
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
    postApiTeamPolicyPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    policy: components["schemas"]["Policy"];
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
                        /** @description Members for whom something changes. */
                        affects: number;
                        /** @description All members. */
                        of: number;
                        summary: {
                            /** @description Goes on behind “members would”: `lose run_command`. */
                            change: string;
                            members: number;
                        }[];
                        members: {
                            userId: string;
                            email: string;
                            role: string;
                            changes: string[];
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
    postApiTeamPolicyRollback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiTeamFleetConfigRollback"];
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
                        revision: number;
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
    getConnectProvider: {
        parameters: {
            query: {
                state: string;
                mode?: "read_write" | "read_only";
                redirect_uri: string;
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
                    "text/html": unknown;
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
    postConnectProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectProvider"];
                "application/x-www-form-urlencoded": components["schemas"]["ConnectProvider"];
            };
        };
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
    getConnectProviderCallback: {
        parameters: {
            query?: never;
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
                    "text/html": unknown;
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
    getConnectHarness: {
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
    getDevice: {
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
    getHealthz: {
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
    getJoinCode: {
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
    getJoinAssetsName: {
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
    getMetrics: {
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
                    "text/plain": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
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
    getPhoneCode: {
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
    getPhoneAssetsName: {
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
    getReadyz: {
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
                        /** @constant */
                        ok: true;
                        components: {
                            [key: string]: "fine" | "warning";
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
    getReset: {
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
    getSignIn: {
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
    getSignUp: {
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
}
