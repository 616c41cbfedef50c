"""Wiring of the command line: users, folders, the schema, and what `up` starts by itself."""

from dependency_injector import containers, providers

from adapters.embedded_postgres.server import EmbeddedPostgres
from adapters.postgres.installation_signs import PostgresInstallationSigns
from adapters.postgres.readiness import PostgresReadiness
from adapters.postgres.role_passwords import set_role_passwords
from adapters.postgres.schema import migrate
from adapters.postgres.served_scopes import PostgresServedScopes
from adapters.postgres.storage_configs import PostgresStorageConfigs
from adapters.postgres.users import PostgresUsers
from adapters.postgres.worker_directory import PostgresWorkerDirectory
from adapters.sample_library.pictures import make_sample_library
from adapters.security.password_hasher import Argon2PasswordHasher
from application.use_cases.check_readiness import CheckReadiness
from application.use_cases.manage_storage_configs import (
    AddStorageConfig,
    ChangeStorageConfig,
    ListStorageConfigs,
    RemoveStorageConfig,
)
from application.use_cases.manage_users import AddUser, ChangeUser, ListUsers
from application.use_cases.read_workers import ReadWorkers
from entrypoints.cli.check_running import CheckRunning
from entrypoints.cli.doctor.examination import Examination
from entrypoints.common.database_container import DatabaseContainer
from entrypoints.common.host_time_zone import host_time_zone
from entrypoints.common.settings import Settings


class CliContainer(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=Settings)

    database = providers.Container(
        DatabaseContainer, settings=settings, application_name="anichron-cli"
    )
    embedded_server = providers.ThreadSafeSingleton(
        EmbeddedPostgres, base=settings.provided.embedded_base.call()
    )
    migrate = providers.Callable(migrate, database.migration_engine)
    set_role_passwords = providers.Callable(
        set_role_passwords,
        database.migration_engine,
        settings.provided.role_passwords.by_role.call(),
    )
    make_sample_library = providers.Object(make_sample_library)

    users = providers.ThreadSafeSingleton(PostgresUsers, engine=database.queue_engine)
    storage_configs = providers.ThreadSafeSingleton(
        PostgresStorageConfigs, engine=database.queue_engine
    )
    password_hasher = providers.ThreadSafeSingleton(Argon2PasswordHasher)

    check_readiness = providers.Factory(
        CheckRunning,
        check_readiness=providers.Factory(
            CheckReadiness,
            readiness=providers.Factory(PostgresReadiness, engine=database.queue_engine),
        ),
        is_there=embedded_server.provided.is_there,
        is_embedded=settings.provided.is_embedded.call(),
        home=settings.provided.home,
    )
    list_users = providers.Factory(ListUsers, users=users)
    add_user = providers.Factory(AddUser, users=users, password_hasher=password_hasher)
    change_user = providers.Factory(ChangeUser, users=users, password_hasher=password_hasher)
    list_storage_configs = providers.Factory(ListStorageConfigs, storage_configs=storage_configs)
    add_storage_config = providers.Factory(
        AddStorageConfig,
        storage_configs=storage_configs,
        host_time_zone=providers.Callable(host_time_zone),
    )
    change_storage_config = providers.Factory(ChangeStorageConfig, storage_configs=storage_configs)
    remove_storage_config = providers.Factory(RemoveStorageConfig, storage_configs=storage_configs)
    examination = providers.Factory(
        Examination,
        check_readiness=check_readiness,
        signs=providers.Factory(PostgresInstallationSigns, engine=database.queue_engine),
        read_workers=providers.Factory(
            ReadWorkers,
            directory=providers.Factory(PostgresWorkerDirectory, engine=database.queue_engine),
        ),
        served_scopes=providers.Factory(PostgresServedScopes, engine=database.queue_engine),
        list_storage_configs=list_storage_configs,
        poll=settings.provided.queue.poll,
    )
