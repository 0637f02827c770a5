//! Runs a scheduler or an executor for `crypto-intel-query --on` on this machine.

use std::net::SocketAddr;
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::cluster::ClusterStateEvent;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service};
use ballista_scheduler::scheduler_server::SchedulerServer;
use clap::Parser;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures_util::StreamExt;

type Scheduler = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

/// Policy for assigning tasks to executors: an executor fetches tasks from the scheduler when it has free slots.
///
/// With the alternative policy, the scheduler would push tasks to the executors and count their slots itself. If one
/// executor is lost, the scheduler would count free slots as used. The other executors would get no more tasks.
const POLICY: TaskSchedulingPolicy = TaskSchedulingPolicy::PullStaged;

/// Runs a scheduler or an executor of a cluster until the process is stopped.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
enum Role {
    /// Accepts statements and distributes their parts to executors
    Scheduler {
        /// Address to listen on
        #[arg(long, default_value = "127.0.0.1:50050")]
        listen: SocketAddr,
        /// An executor counts as lost after this many seconds without a request. Its statements then run again on the
        /// other executors. A busy executor sends a request every 5 seconds
        #[arg(long, value_name = "SECONDS", default_value_t = 10,
            value_parser = clap::value_parser!(u64).range(7..=3600))]
        executor_timeout: u64,
    },
    /// Runs parts of SQL statements for a scheduler
    Executor {
        /// Address of the scheduler
        #[arg(long, default_value = "127.0.0.1:50050")]
        scheduler: SocketAddr,
        /// Address at which other processes read results; the executor also uses the next port
        #[arg(long, default_value = "127.0.0.1:50051")]
        listen: SocketAddr,
        /// Maximum number of parts that run at the same time; 0 means one part per processor core
        #[arg(long, default_value_t = 0)]
        slots: usize,
    },
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let role = Role::parse();
    // Plans are processed recursively, which needs a large stack.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().thread_stack_size(32 << 20).build()?;
    runtime.block_on(run(role))
}

async fn run(role: Role) -> Result<(), Box<dyn std::error::Error>> {
    match role {
        Role::Scheduler { listen, executor_timeout } => {
            run_scheduler(listen, executor_timeout).await
        }
        Role::Executor { scheduler, listen, slots } => run_executor(scheduler, listen, slots).await,
    }
}

async fn run_scheduler(
    listen: SocketAddr,
    executor_timeout: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let config = SchedulerConfig {
        bind_host: listen.ip().to_string(),
        external_host: listen.ip().to_string(),
        bind_port: listen.port(),
        executor_timeout_seconds: executor_timeout,
        expire_dead_executor_interval_seconds: 1,
        no_executors_grace_period_seconds: executor_timeout,
        task_max_failures: 1,
        stage_max_failures: 1,
        scheduling_policy: POLICY,
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler: Scheduler = create_scheduler(cluster, Arc::new(config)).await?;
    tokio::spawn(cancel_disturbed_jobs(scheduler.clone()));
    Ok(start_grpc_service(listen, scheduler).await?)
}

async fn run_executor(
    scheduler: SocketAddr,
    listen: SocketAddr,
    slots: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let config = ExecutorProcessConfig {
        bind_host: listen.ip().to_string(),
        external_host: Some(listen.ip().to_string()),
        port: listen.port(),
        grpc_port: listen.port() + 1,
        scheduler_host: scheduler.ip().to_string(),
        scheduler_port: scheduler.port(),
        scheduler_connect_timeout_seconds: 30,
        vcores: slots,
        task_scheduling_policy: POLICY,
        ..ExecutorProcessConfig::default()
    };
    Ok(start_executor_process(Arc::new(config)).await?)
}

/// Cancels all running jobs when an executor is lost. The query processes run their jobs again from the start. If the
/// scheduler repeated only the lost tasks, rows of the other tasks could be counted twice.
async fn cancel_disturbed_jobs(scheduler: Scheduler) {
    let mut events = match scheduler.cluster_state_events().await {
        Ok(events) => events,
        Err(error) => return eprintln!("error: {error}"),
    };
    while let Some(event) = events.next().await {
        let ClusterStateEvent::RemovedExecutor { executor_id } = event else { continue };
        eprintln!("executor {executor_id} is lost");
        for job in scheduler.state.task_manager.get_running_job_cache().keys() {
            if let Err(error) = scheduler.cancel_job(job.clone()).await {
                eprintln!("error: job {job} cannot be cancelled: {error}");
            }
        }
    }
}
