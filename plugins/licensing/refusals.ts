// Lists the reasons for rejecting a license token, each with advice.

/**
 * The error in a token. `unknown_key`: signed with an unknown key. `unreadable`: not a license, or an incomplete one. `no_key`: no valid public key is
 * configured.
 */
export type TokenFault = 'unknown_key' | 'unreadable' | 'no_key';

const ownPlane =
  "run 'app login --site ADDRESS' on this machine: it shows the key of that control plane and asks you to confirm it. " +
  "Or run 'app control-plane key --env' on the control plane and copy its output (AGENT_HUB_SITE_URL and AGENT_LICENSE_PUBLIC_KEY) to the .env of the home folder here.";

/** Advice for each error, displayed wherever the user enters the license. */
export const adviceFor: Readonly<Record<TokenFault, string>> = {
  unknown_key: `The license is signed with an unknown key. For a self-hosted control plane, ${ownPlane}`,
  unreadable: 'The text is not a license token, or it is incomplete. Copy the whole token, and nothing else.',
  no_key: `Licenses cannot be verified because AGENT_LICENSE_PUBLIC_KEY is not an Ed25519 public key in PEM form. For a self-hosted control plane, ${ownPlane}`,
};
