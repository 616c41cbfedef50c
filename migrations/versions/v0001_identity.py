"""Users and their refresh tokens."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

USERS = """
CREATE TABLE users (
    id            uuid PRIMARY KEY,
    name          text NOT NULL CHECK (name <> '' AND length(name) <= 100),
    email         text NOT NULL CHECK (email <> '' AND length(email) <= 320),
    password_hash text NOT NULL,
    is_admin      boolean NOT NULL DEFAULT false,
    is_disabled   boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX users_name_key ON users (lower(name));
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
COMMENT ON TABLE users IS 'People who may log in; each owns storage configs';
COMMENT ON COLUMN users.id IS 'UUID v7';
COMMENT ON COLUMN users.name IS 'Log-in name, unique whatever the case';
COMMENT ON COLUMN users.email IS 'E-mail address, unique whatever the case; also a log-in name';
COMMENT ON COLUMN users.password_hash IS 'argon2id';
COMMENT ON COLUMN users.is_admin IS 'May use the admin API';
COMMENT ON COLUMN users.is_disabled IS 'May not log in; its storage configs count as inactive';
COMMENT ON COLUMN users.created_at IS 'When the user was added';
"""

REFRESH_TOKENS = """
CREATE TABLE refresh_tokens (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    family_id  uuid NOT NULL,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    issued_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    revoked_at timestamptz
);
CREATE INDEX refresh_tokens_user_id ON refresh_tokens (user_id);
CREATE INDEX refresh_tokens_family_id ON refresh_tokens (family_id);
CREATE INDEX refresh_tokens_expires_at ON refresh_tokens (expires_at);
COMMENT ON TABLE refresh_tokens IS 'Long-lived tokens that buy new access tokens, each usable once';
COMMENT ON COLUMN refresh_tokens.id IS 'UUID v7';
COMMENT ON COLUMN refresh_tokens.user_id IS 'Whose token it is';
COMMENT ON COLUMN refresh_tokens.family_id IS 'All tokens that descend from one log-in';
COMMENT ON COLUMN refresh_tokens.token_hash IS 'SHA-256 of the token; the token itself is not kept';
COMMENT ON COLUMN refresh_tokens.issued_at IS 'When it was handed out';
COMMENT ON COLUMN refresh_tokens.expires_at IS 'From when on it is worthless; TokenCleanup deletes it';
COMMENT ON COLUMN refresh_tokens.used_at IS 'When it was exchanged; presented again, the family is revoked';
COMMENT ON COLUMN refresh_tokens.revoked_at IS 'When it was revoked by log-out or by reuse';
"""


def upgrade() -> None:
    op.execute(USERS)
    op.execute(REFRESH_TOKENS)
